import { type Clock, systemClock } from '@tenon/foundation';
import type { AccessRequest } from './access/access-request.js';
import { Catalogue, type CatalogueChange } from './catalogue/catalogue.js';
import { isOwnTool } from './deferred/deferred-tools.js';
import { HostError } from './host-error.js';
import { inputOptions } from './input/input-options.js';
import type { HostOptions, LiveServers } from './options.js';
import { dialing } from './servers/dialing.js';
import { ServerPool } from './servers/server-pool.js';
import { type HostServer, type ServerSettings, settingsOf } from './servers/server-settings.js';
import type { ServerState } from './servers/server-state.js';

/** The user that a host acts for. */
export interface ForUser {
  /** The user. Grants, credentials and, with a vault, connections are those of this user. */
  readonly user?: string;
  readonly signal?: AbortSignal;
}

/** Users with connections of their own, at most: those used longest ago are closed first. */
const mostUsers = 1_000;

type Permitted = <T>(request: AccessRequest, work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** The servers of a host: by name, with their states. */
export class HostServers {
  readonly #options: HostOptions;
  readonly #perform: Permitted;
  readonly #clock: Clock;
  readonly #sources = new Map<string, ServerSettings>();
  readonly #pools = new Map<string | undefined, ServerPool>();
  /** The last catalogue of each user, which may be outdated. */
  readonly #catalogues = new Map<string | undefined, Catalogue>();
  readonly #outdated = new Set<string | undefined>();
  readonly #stateListeners = new Set<(state: ServerState, user: string | undefined) => void>();
  readonly #removalListeners = new Set<(name: string) => Promise<void>>();
  readonly #changeListeners = new Set<(change: CatalogueChange, user: string | undefined) => void>();
  readonly #stopWatching: () => void;
  #isClosed = false;

  /** @internal */
  constructor(options: HostOptions, perform: Permitted) {
    this.#options = options;
    this.#perform = perform;
    this.#clock = options.clock ?? systemClock;
    const { servers = {} } = options;
    const live = isLive(servers) ? servers : undefined;
    this.#stopWatching = live?.watch(() => this.set(live.servers)) ?? ignore;
    this.set(live?.servers ?? (servers as Readonly<Record<string, HostServer>>));
  }

  /** Returns the states of all servers, in the order of names. */
  list(user?: string): readonly ServerState[] {
    return this.of(user).all.map(({ state }) => state);
  }

  /** Returns the state of a server. @throws HostError `unknown-server` */
  get(name: string, user?: string): ServerState {
    return this.of(user).get(name).state;
  }

  /** Adds a server. @throws TypeError if there is one with that name, or the name is not a text of 1 to 128 printable characters. */
  add(name: string, source: HostServer): void {
    if (typeof name !== 'string' || !/^[^\p{C}]{1,128}$/u.test(name))
      throw new TypeError('The name of a server must have 1 to 128 printable characters.');
    if (this.#sources.has(name))
      throw new TypeError(`The host has a server ${JSON.stringify(name)} already: remove it first.`);
    const settings = settingsOf(source);
    this.#sources.set(name, settings);
    for (const pool of this.#pools.values()) pool.add(name, settings);
  }

  /** Removes a server: its calls reject, and its program is stopped. Answers of users for it are kept. */
  async remove(name: string): Promise<void> {
    this.#sources.delete(name);
    await Promise.all([
      ...[...this.#removalListeners].map((listener) => listener(name)),
      ...[...this.#pools.values()].map((pool) => pool.remove(name)),
    ]);
  }

  /** Replaces all servers. A server with the same settings, as a value or as JSON, goes on undisturbed. */
  set(servers: Readonly<Record<string, HostServer>>): void {
    const { onError = ignore } = this.#options;
    for (const [name, settings] of this.#sources) {
      const next = Object.hasOwn(servers, name) ? servers[name] : undefined;
      if (next !== undefined && isSame(settingsOf(next), settings)) continue;
      this.remove(name).catch((error: unknown) => onError(error, `closing ${name}`));
    }
    for (const [name, source] of Object.entries(servers))
      if (!this.#sources.has(name)) this.add(name, source);
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
  async signIn(name: string, { user, signal = new AbortController().signal }: ForUser = {}): Promise<void> {
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
    const unknown = pool.all.filter(
      ({ state }) => state.status === 'configured' || state.status === 'starting',
    );
    await Promise.all(unknown.map((server) => server.ready(signal).catch(ignore)));
    signal?.throwIfAborted();
    return this.present(user);
  }

  /** Returns the catalogue of what is known now. @internal */
  present(user: string | undefined): Catalogue {
    const key = this.#keyOf(user);
    const known = this.#catalogues.get(key);
    if (known !== undefined && !this.#outdated.has(key)) return known;
    const catalogue = new Catalogue(this.of(user).all, {
      prefix: this.#options.prefix ?? 'always',
      taken: isOwnTool,
    });
    this.#catalogues.set(key, catalogue);
    this.#outdated.delete(key);
    return catalogue;
  }

  /** Returns the servers of a user. @internal */
  of(user: string | undefined): ServerPool {
    if (this.#isClosed) throw new HostError('closed', 'The host is closed.');
    const key = this.#keyOf(user);
    const known = this.#pools.get(key);
    if (known !== undefined) {
      // The most recently used last.
      if (key !== undefined) this.#pools.delete(key);
      this.#pools.set(key, known);
      return known;
    }
    this.#makeRoom();
    const pool = this.#newPool(key);
    this.#pools.set(key, pool);
    for (const [name, settings] of this.#sources) pool.add(name, settings);
    return pool;
  }

  /** @internal */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopWatching();
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }

  /** Without a vault, all users have the same connections. */
  #keyOf(user: string | undefined): string | undefined {
    return this.#options.vault === undefined ? undefined : user;
  }

  #makeRoom(): void {
    if (this.#pools.size < mostUsers) return;
    for (const [user, pool] of this.#pools) {
      if (pool.isBusy) continue;
      this.#pools.delete(user);
      this.#catalogues.delete(user);
      this.#outdated.delete(user);
      pool.close().catch((error: unknown) => this.#options.onError?.(error, 'closing'));
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
      onState: (state) => {
        // A tool is marked while its server needs a sign-in.
        const isMarked = this.#catalogues.get(user)?.isMarked === true;
        if (isMarked || state.status === 'needs-sign-in') this.#outdated.add(user);
        for (const listener of this.#stateListeners) listener(state, user);
      },
      onLists: () => this.#listsChanged(user),
    });
  }

  #listsChanged(user: string | undefined): void {
    const before = this.#catalogues.get(user);
    this.#outdated.add(user);
    if (before === undefined || this.#changeListeners.size === 0) return;
    const change = this.present(user).changeSince(before);
    if (change !== undefined) for (const listener of this.#changeListeners) listener(change, user);
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
      permit: (request) => this.#perform(request, async () => undefined, signal),
    });
  }
}

function isLive(servers: NonNullable<HostOptions['servers']>): servers is LiveServers {
  return typeof servers.watch === 'function';
}

function isSame(one: ServerSettings, other: ServerSettings): boolean {
  if (one === other) return true;
  const isPlain = (value: unknown): boolean =>
    typeof value !== 'function' &&
    (typeof value !== 'object' ||
      value === null ||
      Array.isArray(value) ||
      Object.getPrototypeOf(value) === Object.prototype) &&
    (typeof value !== 'object' || value === null || Object.values(value).every(isPlain));
  return isPlain(one) && isPlain(other) && JSON.stringify(one) === JSON.stringify(other);
}

function ignore(): void {}
