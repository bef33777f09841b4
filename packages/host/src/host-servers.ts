import { BoundedMap, type Clock, systemClock, withinTime } from '@tenon/foundation';
import { Catalogue, type CatalogueChange } from './catalogue/catalogue.js';
import { isOwnTool } from './deferred/deferred-tools.js';
import { HostError } from './host-error.js';
import { inputOptions } from './input/input-options.js';
import type { ToolPair } from './models/formats/names.js';
import type { HostOptions, LiveServers } from './options.js';
import type { Permitted } from './requests/requests.js';
import { dialing, identityOf, signInAt } from './servers/dialing.js';
import type { ManagedServer } from './servers/managed-server.js';
import { ServerPool } from './servers/server-pool.js';
import { checkedSettings, type HostServer, type ServerSettings } from './servers/server-settings.js';
import type { ServerState } from './servers/server-state.js';

/** The user that a host acts for. */
export interface ForUser {
  /** The user. Connections, grants and credentials are those of this user. */
  readonly user?: string;
  readonly signal?: AbortSignal;
}

/** Users with connections of their own, at most: those used longest ago are closed first. */
const mostUsers = 1_000;
/** Names for models that are remembered with the prefix `collision`. */
const mostBound = 50_000;
/** Milliseconds that a list of tools waits for servers that start. */
const longestStart = 60_000;

/** The servers of a host: by name, with their states. */
export class HostServers {
  readonly #options: HostOptions;
  readonly #perform: Permitted;
  readonly #clock: Clock;
  readonly #sources = new Map<string, ServerSettings>();
  /** The identities to which answers of users belong, by server. */
  readonly #identities = new Map<string, string>();
  readonly #pools = new Map<string | undefined, ServerPool>();
  /** The last catalogue of each user, which may be outdated. */
  readonly #catalogues = new Map<string | undefined, Catalogue>();
  readonly #outdated = new Set<string | undefined>();
  readonly #stateListeners = new Set<(state: ServerState, user: string | undefined) => void>();
  readonly #removalListeners = new Set<(name: string) => Promise<void>>();
  readonly #changeListeners = new Set<(change: CatalogueChange, user: string | undefined) => void>();
  readonly #live: LiveServers | undefined;
  readonly #stopWatching: () => void;
  readonly #end = new AbortController();
  /** Servers that are being closed. */
  readonly #closing = new Set<Promise<void>>();
  /** The tools that names for models were first used for: a name does not pass to another server. */
  readonly #bound = new BoundedMap<string, ToolPair>(mostBound);

  /** @internal */
  constructor(options: HostOptions, perform: Permitted) {
    this.#options = options;
    this.#perform = perform;
    this.#clock = options.clock ?? systemClock;
    const { servers = {} } = options;
    const live = isLive(servers) ? servers : undefined;
    this.#live = live;
    this.set(live?.servers ?? (servers as Readonly<Record<string, HostServer>>));
    this.#stopWatching = live?.watch(() => this.#follow(live)) ?? ignore;
  }

  /** Returns the states of all servers, in the order of names. */
  list(user?: string): readonly ServerState[] {
    return this.of(user).all.map(({ state }) => state);
  }

  /** Returns the state of a server. @throws HostError `unknown-server` */
  get(name: string, user?: string): ServerState {
    return this.of(user).get(name).state;
  }

  /** Adds a server. @throws TypeError if its settings are wrong, there is one with that name, or the name is not a text of 1 to 128 printable characters. */
  add(name: string, source: HostServer): void {
    this.#add(name, checkedSettings(name, source));
  }

  #add(name: string, settings: ServerSettings, after?: Promise<unknown>): void {
    if (this.#sources.has(name))
      throw new TypeError(`The host has a server ${JSON.stringify(name)} already: remove it first.`);
    this.#sources.set(name, settings);
    this.#identities.set(name, identityOf(settings.target));
    for (const pool of this.#pools.values()) pool.add(name, settings, after);
  }

  /** Removes a server: its calls reject, and its program is stopped. Answers of users for it are kept. */
  remove(name: string): Promise<void> {
    this.#sources.delete(name);
    this.#identities.delete(name);
    return this.#until(
      Promise.all([
        ...[...this.#removalListeners].map((listener) => listener(name)),
        ...[...this.#pools.values()].map((pool) => pool.remove(name)),
      ]),
    );
  }

  /**
   * Replaces all servers. A server with the same settings goes on undisturbed; members that are neither plain data nor the same value are other settings.
   * @throws TypeError as {@link add} does; nothing has changed then.
   */
  set(servers: Readonly<Record<string, HostServer>>): void {
    const { onError = ignore } = this.#options;
    const next = Object.entries(servers).map(
      ([name, source]) => [name, checkedSettings(name, source)] as const,
    );
    const kept = new Set<string>();
    for (const [name, settings] of next) if (isSame(settings, this.#sources.get(name))) kept.add(name);
    const closing = new Map<string, Promise<void>>();
    for (const name of [...this.#sources.keys()]) {
      if (kept.has(name)) continue;
      const closed = this.remove(name).catch((error: unknown) => onError(error, `closing ${name}`));
      closing.set(name, closed);
    }
    for (const [name, settings] of next) if (!kept.has(name)) this.#add(name, settings, closing.get(name));
  }

  #follow(live: LiveServers): void {
    try {
      this.set(live.servers);
    } catch (error) {
      this.#options.onError?.(error, 'servers');
    }
  }

  /** Does work that `close` waits for. */
  async #until(work: Promise<unknown>): Promise<void> {
    const done = work.then(ignore);
    this.#closing.add(done);
    try {
      await done;
    } finally {
      this.#closing.delete(done);
    }
  }

  /** Starts all servers at once. Resolves with their states when each is ready, needs a sign-in or has failed. */
  async start({ user, signal }: ForUser = {}): Promise<readonly ServerState[]> {
    const pool = this.of(user);
    await Promise.all(pool.all.map((server) => server.ready(signal).catch(ignore)));
    signal?.throwIfAborted();
    return this.list(user);
  }

  /** Stops a server. The next request starts it again, also if its last start failed. @throws HostError `unknown-server` */
  async restart(name: string, { user }: ForUser = {}): Promise<void> {
    await this.of(user).get(name).restart();
  }

  /** Signs the user in at a server, and connects. @throws HostError; AuthError */
  async signIn(name: string, { user, signal }: ForUser = {}): Promise<void> {
    await this.of(user).get(name).signIn(signal);
  }

  /** Calls `listener` with each new state of a server. Returns a function that removes it. */
  onStateChange(listener: (state: ServerState, user: string | undefined) => void): () => void {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  }

  /**
   * Calls `listener` when tools were added, removed or changed: their digests differ. Returns a function that removes it.
   */
  onChanged(listener: (change: CatalogueChange, user: string | undefined) => void): () => void {
    this.#changeListeners.add(listener);
    return () => this.#changeListeners.delete(listener);
  }

  /** Calls `listener`, which must not reject, when a server is removed or replaced by one with other settings. @internal */
  onRemoved(listener: (name: string) => Promise<void>): void {
    this.#removalListeners.add(listener);
  }

  /** @internal */
  async catalogue({ user, signal }: ForUser): Promise<Catalogue> {
    const pool = this.of(user);
    // One that failed is tried again after its pause. One that has crashed since is started by the next request for it.
    const unknown = pool.all.filter((server) => !server.isKnown && !isForUser(server.state));
    if (unknown.length === 0) return this.present(user);
    const ready = Promise.all(unknown.map((server) => server.ready(signal).catch(ignore)));
    // A server that does not answer, or a user who does not, must not keep all others from a model.
    await withinTime(ready, { clock: this.#clock, ms: longestStart });
    signal?.throwIfAborted();
    return this.present(user);
  }

  /** Returns the catalogue of what is known now. @internal */
  present(user: string | undefined): Catalogue {
    const known = this.#catalogues.get(user);
    if (known !== undefined && !this.#outdated.has(user)) return known;
    const { prefix = 'always' } = this.#options;
    const servers = this.of(user).all;
    const taken = (name: string): boolean =>
      isOwnTool(name) || (prefix === 'collision' && this.#isGone(name, servers));
    const catalogue = new Catalogue(servers, { prefix, taken });
    if (prefix === 'collision')
      for (const { name, server, tool } of catalogue.tools)
        if (!this.#bound.has(name)) this.#bound.set(name, { server, tool: tool.name });
    this.#catalogues.set(user, catalogue);
    this.#outdated.delete(user);
    return catalogue;
  }

  /** True for a name that a model may know for a tool that is not offered any more. */
  #isGone(name: string, servers: readonly ManagedServer[]): boolean {
    const bound = this.#bound.get(name);
    return (
      bound !== undefined &&
      !servers.some(({ name, lists }) => name === bound.server && lists.tools.has(bound.tool))
    );
  }

  /** Returns the servers of a user. @internal */
  of(user: string | undefined): ServerPool {
    if (this.#end.signal.aborted) throw closedError();
    const known = this.#pools.get(user);
    if (known !== undefined) {
      // The most recently used last.
      if (this.#pools.size > 1) {
        this.#pools.delete(user);
        this.#pools.set(user, known);
      }
      return known;
    }
    this.#makeRoom();
    const pool = this.#newPool(user);
    this.#pools.set(user, pool);
    for (const [name, settings] of this.#sources) pool.add(name, settings);
    return pool;
  }

  /** Aborts when the host closes. @internal */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  /** Returns what answers of users for a server belong to. @internal */
  identityOf(name: string): string {
    return this.#identities.get(name) ?? '';
  }

  /** @internal */
  async close(): Promise<void> {
    this.#end.abort(closedError());
    this.#stopWatching();
    this.#live?.close?.();
    await Promise.allSettled([...[...this.#pools.values()].map((pool) => pool.close()), ...this.#closing]);
  }

  #makeRoom(): void {
    if (this.#pools.size < mostUsers) return;
    for (const [user, pool] of this.#pools) {
      if (pool.isBusy) continue;
      this.#pools.delete(user);
      this.#catalogues.delete(user);
      this.#outdated.delete(user);
      this.#until(pool.close()).catch((error: unknown) => this.#options.onError?.(error, 'closing'));
      return;
    }
    throw new HostError('limit', `${mostUsers} users have requests that run: wait for one to end.`);
  }

  #newPool(user: string | undefined): ServerPool {
    const { onError = ignore } = this.#options;
    return new ServerPool({
      ...{ clock: this.#clock, onError },
      dial: ({ name, settings }, mayPrompt, signal) =>
        this.#dial({ name, settings, user }, mayPrompt, signal),
      signIn: ({ name, settings }, signal) =>
        signInAt({ name, settings, user, vault: this.#options.vault }, signal),
      onStateChange: (state) => {
        // A tool is marked while its server needs a sign-in.
        const isMarked = this.#catalogues.get(user)?.isMarked === true;
        if (isMarked || state.status === 'needs-sign-in') this.#outdated.add(user);
        for (const listener of this.#stateListeners) this.#announce(() => listener(state, user));
      },
      onLists: () => this.#listsChanged(user),
    });
  }

  #listsChanged(user: string | undefined): void {
    const before = this.#catalogues.get(user);
    this.#outdated.add(user);
    if (before === undefined || this.#changeListeners.size === 0) return;
    const change = this.present(user).changeSince(before);
    if (change === undefined) return;
    for (const listener of this.#changeListeners) this.#announce(() => listener(change, user));
  }

  /** Calls a listener. An error of it must not disturb servers. */
  #announce(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#options.onError?.(error, 'listener');
    }
  }

  #dial(
    {
      name,
      settings,
      user,
    }: { readonly name: string; readonly settings: ServerSettings; readonly user: string | undefined },
    mayPrompt: () => boolean,
    signal: AbortSignal,
  ): ReturnType<typeof dialing> {
    const { info, vault, extensions = [], onError = ignore, roots } = this.#options;
    const isTrusted = settings.trusted === true;
    const own = settings.roots ?? roots;
    const parts = {
      server: name,
      user,
      isTrusted,
      input: this.#options,
      roots: own,
      perform: this.#perform,
      onError,
    };
    return dialing({
      ...{ name, user, settings, vault, mayPrompt },
      options: {
        ...{ info, extensions, clock: this.#clock },
        onError: (error, where) => onError(error, `${where} of ${name}`),
        ...inputOptions(parts),
      },
      permit: (request) => this.#perform(request, async () => {}, { signal }),
    });
  }
}

/** True for a server that a list must not start: the user has to sign in first, or did not allow the start and would be asked with each list. */
function isForUser({ status, error }: ServerState): boolean {
  return status === 'needs-sign-in' || (error instanceof HostError && error.reason === 'denied');
}

function isLive(servers: NonNullable<HostOptions['servers']>): servers is LiveServers {
  return typeof servers.watch === 'function';
}

function closedError(): HostError {
  return new HostError('closed', 'The host is closed.');
}

/** Levels of settings that are compared. */
const deepest = 16;

/** True for the same value, and for plain data with the same members. */
function isSame(one: unknown, other: unknown, depth = 0): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const prototype: unknown = Object.getPrototypeOf(one);
  const isPlain = prototype === Object.prototype || prototype === Array.prototype;
  if (depth > deepest || !isPlain || prototype !== Object.getPrototypeOf(other)) return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  const memberOf = (value: object, key: string): unknown => (value as Readonly<Record<string, unknown>>)[key];
  return (
    keys.length === others.length &&
    keys.every(
      (key) => Object.hasOwn(other, key) && isSame(memberOf(one, key), memberOf(other, key), depth + 1),
    )
  );
}

function ignore(): void {}
