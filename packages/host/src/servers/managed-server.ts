import { type Cancel, type Clock, unlessAborted, withoutControls } from '@tenon/foundation';
import { type Client, type ConnectOptions, connect, type Watch } from '@tenon/mcp-client';
import { follow } from '@tenon/mcp-protocol/internal';
import { HostError } from '../host-error.js';
import { isSignInError } from './quiet-auth.js';
import { noLists, readLists, type ServerLists } from './server-lists.js';
import type { ServerSettings } from './server-settings.js';
import type { ServerState, ServerStatus } from './server-state.js';

export interface ManagedServerParts {
  readonly name: string;
  readonly settings: ServerSettings;
  readonly clock: Clock;
  /**
   * Returns the target and the options of a connection, once it may be opened. Rejects if it must not be.
   * @param mayPrompt - true while the user has asked to sign in.
   */
  readonly dial: (mayPrompt: () => boolean, signal: AbortSignal) => Promise<Dialing>;
  readonly onState: (state: ServerState) => void;
  /** Called when the lists have another digest. */
  readonly onLists: () => void;
  readonly onError: (error: unknown, where: string) => void;
}

/** The target and options of one connection. */
export interface Dialing {
  readonly target: ServerSettings['target'];
  readonly options: ConnectOptions;
  /** Signs the user in now; undefined for a server without sign-in. */
  readonly signIn?: (signal: AbortSignal) => Promise<void>;
}

/** Milliseconds without a request after which a server is stopped. */
const usualIdle = 600_000;
/** Milliseconds before a failed start is tried again: doubled with each failure, up to the longest. */
const pauses = { first: 1_000, longest: 60_000 };
/** Milliseconds at least between two readings of the lists: a server may announce changes without end. */
const readingPause = 1_000;
/** Requests at once. */
const mostRequests = 256;

/** One server of a host: started by its first request, stopped when it is idle, and its lists as they were last. */
export class ManagedServer {
  readonly #parts: ManagedServerParts;
  readonly #end = new AbortController();
  #status: ServerStatus = 'configured';
  #error: unknown;
  #client: Client | undefined;
  #opening: Promise<Client> | undefined;
  #lists = noLists;
  /** As the server sent them last. */
  #instructions: string | undefined;
  #watch: Watch | undefined;
  #reading: Promise<void> | undefined;
  #readAgain: Cancel | undefined;
  #running = 0;
  #idle: Cancel | undefined;
  #usedAt = 0;
  #failures = 0;
  #retryAt = 0;
  #mayPrompt = false;

  constructor(parts: ManagedServerParts) {
    this.#parts = parts;
  }

  get lists(): ServerLists {
    return this.#lists;
  }

  get isTrusted(): boolean {
    return this.#parts.settings.trusted === true;
  }

  get isReady(): boolean {
    return this.#connected !== undefined;
  }

  /** True while requests run or the server is being started. */
  get isBusy(): boolean {
    return this.#running > 0 || this.#opening !== undefined;
  }

  get state(): ServerState {
    const { name } = this.#parts;
    const { tools, prompts, resources } = this.#lists;
    const client = this.#client;
    return {
      name,
      status: this.#status,
      ...(this.#error !== undefined && { error: this.#error, reason: lineOf(this.#error) }),
      ...(client?.server && { info: client.server }),
      ...(client && { revision: client.revision }),
      ...(this.#instructions !== undefined && { instructions: this.#instructions }),
      tools: tools.size,
      prompts: prompts.length,
      resources: resources.length,
    };
  }

  /**
   * Runs a request with the client, which is connected first.
   * @throws HostError `unavailable`, `sign-in-needed`, `limit` or `closed`; the errors of `work`.
   */
  async use<T>(work: (client: Client) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const { name } = this.#parts;
    if (this.#running >= mostRequests)
      throw new HostError('limit', `${mostRequests} requests to ${name} run already: wait for one to end.`, {
        server: name,
      });
    this.#running++;
    try {
      return await work(this.#connected ?? (await this.ready(signal)));
    } catch (error) {
      if (!isSignInError(error)) throw error;
      this.#set('needs-sign-in', error);
      throw this.#signInNeeded(error);
    } finally {
      this.#running--;
      this.#usedAt = this.#parts.clock.now();
      this.#rest();
    }
  }

  /** The client, unless it has to be connected first. */
  get #connected(): Client | undefined {
    return this.#opening === undefined ? this.#client : undefined;
  }

  /**
   * Returns the client, connected first if necessary, and with its lists read. Requests that wait for the same start share it; it goes on if one of them is aborted.
   * @throws HostError
   */
  async ready(signal: AbortSignal | undefined): Promise<Client> {
    signal?.throwIfAborted();
    if (this.#end.signal.aborted) throw this.#closed();
    if (this.#connected !== undefined) return this.#connected;
    if (this.#opening === undefined) {
      const { clock } = this.#parts;
      if (this.#failures > 0 && clock.now() < this.#retryAt && !this.#mayPrompt)
        throw this.#unavailable(this.#error);
      const opening = this.#open();
      this.#opening = opening;
      const done = () => {
        if (this.#opening === opening) this.#opening = undefined;
        this.#usedAt = clock.now();
        this.#rest();
      };
      follow(opening, done, done);
    }
    return unlessAborted(this.#opening, signal);
  }

  /** Signs the user in, and connects. @throws HostError; the error of the sign-in. */
  async signIn(signal: AbortSignal): Promise<void> {
    this.#mayPrompt = true;
    try {
      const { signIn } = await this.#parts.dial(() => true, signal);
      await signIn?.(signal);
      this.#failures = 0;
      if (this.#client === undefined) await this.ready(signal);
      else await this.#read(this.#client);
      this.#set('ready');
    } catch (error) {
      if (isSignInError(error)) this.#set('needs-sign-in', error);
      throw error;
    } finally {
      this.#mayPrompt = false;
    }
  }

  /** Closes the connection. The next request starts the server again, at once. */
  async restart(): Promise<void> {
    this.#failures = 0;
    await this.#stop();
  }

  /** Closes the connection for good. Requests that wait reject with `closed`. */
  async close(): Promise<void> {
    this.#end.abort(this.#closed());
    this.#readAgain?.();
    this.#idle?.();
    await this.#opening?.catch(() => undefined);
    await this.#stop();
  }

  async #open(): Promise<Client> {
    const { name, dial } = this.#parts;
    const { signal } = this.#end;
    this.#set('starting');
    let client: Client | undefined;
    try {
      const { target, options } = await dial(() => this.#mayPrompt, signal);
      client = await connect(target, { ...options, signal });
      signal.throwIfAborted();
      const opened = client;
      opened.onStateChange(({ state, reason }) => {
        if (state === 'closed' && this.#client === opened) this.#lost(reason);
      });
      this.#client = opened;
      this.#instructions = opened.instructions;
      await this.#read(opened);
      await this.#listen(opened);
      signal.throwIfAborted();
      if (this.#client !== opened)
        throw this.#error ?? new HostError('unavailable', `${name} closed.`, { server: name });
      this.#failures = 0;
      this.#set('ready');
      return opened;
    } catch (error) {
      if (this.#client === client) this.#client = undefined;
      await client?.close();
      signal.throwIfAborted();
      this.#retryAt =
        this.#parts.clock.now() + Math.min(pauses.longest, pauses.first * 2 ** this.#failures++);
      this.#set(isSignInError(error) ? 'needs-sign-in' : 'failed', error);
      throw this.#unavailable(error);
    }
  }

  async #read(client: Client): Promise<void> {
    const { onError, onLists, name } = this.#parts;
    const before = this.#lists;
    const report = (error: unknown) => onError(error, `lists of ${name}`);
    const lists = await readLists(client, { before, signal: this.#end.signal, report });
    this.#lists = lists;
    if (lists.digest !== before.digest) onLists();
  }

  /** Reads the lists again when the server announces a change, not more often than the pause allows. */
  async #listen(client: Client): Promise<void> {
    const { onError, name } = this.#parts;
    const { tools, prompts, resources } = client.capabilities;
    const filter = {
      ...(tools?.listChanged && { tools: true }),
      ...(prompts?.listChanged && { prompts: true }),
      ...(resources?.listChanged && { resources: true }),
    };
    if (Object.keys(filter).length === 0) return;
    try {
      this.#watch = await client.watch(filter, (change) => {
        if (change.kind === 'ended') return;
        this.#readAgain ??= this.#parts.clock.schedule(() => {
          this.#readAgain = undefined;
          if (this.#client === client) this.#reread(client);
        }, readingPause);
      });
    } catch (error) {
      onError(error, `changes of ${name}`);
    }
  }

  #reread(client: Client): void {
    const { onError, name } = this.#parts;
    const reading = (this.#reading ?? Promise.resolve()).then(() => this.#read(client));
    this.#reading = reading.catch((error: unknown) => {
      if (this.#client === client) onError(error, `lists of ${name}`);
    });
  }

  #lost(reason: unknown): void {
    this.#client = undefined;
    this.#watch = undefined;
    if (this.#end.signal.aborted) return;
    if (reason === undefined) this.#set('known');
    else this.#set(isSignInError(reason) ? 'needs-sign-in' : 'failed', reason);
  }

  /** Stops the server once it was idle for long enough. A timer runs on although requests come: setting one for each costs more. */
  #rest(): void {
    const { clock, settings, onError, name } = this.#parts;
    const { idle = usualIdle } = settings;
    if (idle === 0 || this.#idle !== undefined || this.#client === undefined) return;
    const left = this.#usedAt + idle - clock.now();
    this.#idle = clock.schedule(
      () => {
        this.#idle = undefined;
        if (this.isBusy || clock.now() < this.#usedAt + idle) this.#rest();
        else this.#stop().catch((error: unknown) => onError(error, `closing ${name}`));
      },
      this.isBusy ? idle : left,
    );
  }

  async #stop(): Promise<void> {
    const client = this.#client;
    const watch = this.#watch;
    this.#client = undefined;
    this.#watch = undefined;
    this.#idle?.();
    this.#idle = undefined;
    if (!this.#end.signal.aborted) this.#set(this.#lists === noLists ? 'configured' : 'known');
    await watch?.close().catch(() => undefined);
    await client?.close();
  }

  #set(status: ServerStatus, error?: unknown): void {
    const isSame = status === this.#status && error === this.#error;
    this.#status = status;
    this.#error = error;
    if (!isSame) this.#parts.onState(this.state);
  }

  #unavailable(cause: unknown): HostError {
    if (cause instanceof HostError) return cause;
    if (isSignInError(cause)) return this.#signInNeeded(cause);
    const { name } = this.#parts;
    return new HostError('unavailable', `${name} cannot be used: ${lineOf(cause)}`, { server: name, cause });
  }

  #signInNeeded(cause: unknown): HostError {
    const { name } = this.#parts;
    const text = `${name} needs the user to sign in. A program calls host.servers.signIn(${JSON.stringify(name)}) for that.`;
    return new HostError('sign-in-needed', text, { server: name, cause });
  }

  #closed(): HostError {
    const { name } = this.#parts;
    return new HostError('closed', `${name} was closed or removed.`, { server: name });
  }
}

/** Returns the message of an error as one line of bounded length. */
export function lineOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return withoutControls(text).replace(/\s+/g, ' ').trim().slice(0, 500);
}
