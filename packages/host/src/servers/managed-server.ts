import { type Cancel, type Clock, follow, unlessAborted } from '@tenon/foundation';
import type { Client } from '@tenon/mcp-client';
import { HostError } from '../host-error.js';
import { visibleLine } from '../models/formats/text/visible-text.js';
import { isSignInError } from './quiet-auth.js';
import { type Dialing, openConnection, type ServerConnection } from './server-connection.js';
import { noLists, type ServerLists } from './server-lists.js';
import type { ServerSettings } from './server-settings.js';
import type { ServerState, ServerStatus } from './server-state.js';

export interface ManagedServerParts {
  readonly name: string;
  readonly settings: ServerSettings;
  readonly clock: Clock;
  /** Resolves when the server that had the name before has ended. Default: there was none. */
  readonly after?: Promise<unknown> | undefined;
  /**
   * Returns the target and the options of a connection, once it may be opened. Rejects if it must not be.
   * @param mayPrompt - true while the user has asked to sign in.
   */
  readonly dial: (mayPrompt: () => boolean, signal: AbortSignal) => Promise<Dialing>;
  /** Signs the user in now, if the server has a sign-in that can be started. The signal aborts when the server is closed, too. */
  readonly signIn: (signal: AbortSignal) => Promise<void>;
  /** Must not throw. */
  readonly onStateChange: (state: ServerState) => void;
  /** Called when the lists have another digest. Must not throw. */
  readonly onLists: () => void;
  readonly onError: (error: unknown, where: string) => void;
}

/** Milliseconds without a request after which a server is stopped. */
const usualIdle = 600_000;
/** Milliseconds before a failed start is tried again: doubled with each failure, up to the longest. */
const pauses = { first: 1_000, longest: 60_000 };
/** Requests at once. */
const mostRequests = 256;

/** One server of a host: started by its first request, stopped when it is idle, and its lists as they were last. */
export class ManagedServer {
  readonly #parts: ManagedServerParts;
  readonly #end = new AbortController();
  #status: ServerStatus = 'configured';
  #error: unknown;
  #connection: ServerConnection | undefined;
  #opening: Promise<Client> | undefined;
  /** Ends the opening, for a server that is restarted meanwhile. */
  #attempt: AbortController | undefined;
  #lists = noLists;
  /** As the server sent them last. */
  #instructions: string | undefined;
  #running = 0;
  #idle: Cancel | undefined;
  #usedAt = 0;
  #failures = 0;
  #retryAt = 0;
  /** Sign-ins that the user has asked for and that run. */
  #signIns = 0;
  /** The end of the connection before: two programs of one server must not run at once. */
  #stopped: Promise<void> | undefined;

  constructor(parts: ManagedServerParts) {
    this.#parts = parts;
  }

  get lists(): ServerLists {
    return this.#lists;
  }

  get name(): string {
    return this.#parts.name;
  }

  get status(): ServerStatus {
    return this.#status;
  }

  /** True once its lists were read. */
  get isKnown(): boolean {
    return this.#lists !== noLists;
  }

  get isTrusted(): boolean {
    return this.#parts.settings.trusted === true;
  }

  /** True while requests run or the server is being started. */
  get isBusy(): boolean {
    return this.#running > 0 || this.#opening !== undefined;
  }

  get state(): ServerState {
    const { name } = this.#parts;
    const { tools, prompts, resources } = this.#lists;
    const client = this.#connection?.client;
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
   * @param work - must not throw, but reject.
   * @throws HostError `unavailable`, `sign-in-needed`, `limit` or `closed`; the errors of `work`.
   */
  use<T>(work: (client: Client) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (this.#running >= mostRequests) return Promise.reject(this.#full());
    this.#running++;
    let client = this.#connected;
    // Not an async function, which costs each call a part of a microsecond more.
    const worked =
      client === undefined
        ? this.ready(signal).then((ready) => {
            client = ready;
            return work(ready);
          })
        : work(client);
    return worked.then(
      (result) => {
        this.#ended();
        // The sign-in that the server required has succeeded elsewhere.
        if (this.#status === 'needs-sign-in' && client === this.#connected) this.#set('ready');
        return result;
      },
      (error: unknown) => {
        this.#ended();
        if (client === undefined || !isSignInError(error)) throw error;
        if (client === this.#connected) this.#set('needs-sign-in', error);
        throw this.#signInNeeded(error);
      },
    );
  }

  #full(): HostError {
    const { name } = this.#parts;
    const text = `${mostRequests} requests to ${name} run already: wait for one to end.`;
    return new HostError('limit', text, { server: name });
  }

  /** Counts a request that has ended. */
  #ended(): void {
    if (--this.#running > 0) return;
    this.#usedAt = this.#parts.clock.now();
    this.#rest();
  }

  /** The client, unless it has to be connected first. */
  get #connected(): Client | undefined {
    return this.#connection?.client;
  }

  get isReady(): boolean {
    return this.#connected !== undefined;
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
      if (this.#failures > 0 && clock.now() < this.#retryAt && this.#signIns === 0)
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

  /** Signs the user in, and connects. @throws HostError; the error of the sign-in; the reason of the signal. */
  async signIn(given: AbortSignal | undefined): Promise<void> {
    const { signal: end } = this.#end;
    const signal = given === undefined ? end : AbortSignal.any([given, end]);
    signal.throwIfAborted();
    this.#signIns++;
    try {
      // An opening without a prompt is about to fail.
      if (this.#opening !== undefined)
        await unlessAborted(
          this.#opening.catch(() => undefined),
          signal,
        );
      await unlessAborted(this.#parts.signIn(signal), signal);
      this.#failures = 0;
      const connection = this.#connection;
      if (connection === undefined) await this.ready(signal);
      else await connection.read();
      if (this.#connected !== undefined) this.#set('ready');
    } catch (error) {
      if (isSignInError(error)) this.#set('needs-sign-in', error);
      throw error;
    } finally {
      this.#signIns--;
    }
  }

  /** Closes the connection, or ends its opening. The next request starts the server again, at once. */
  async restart(): Promise<void> {
    this.#failures = 0;
    this.#attempt?.abort(this.#unavailable(new Error('It was restarted.')));
    await this.#opening?.catch(() => undefined);
    this.#failures = 0;
    const stopped = this.#stop();
    this.#set(this.isKnown ? 'known' : 'configured');
    await stopped;
  }

  /** Closes the connection for good. Requests that wait reject with `closed`. */
  async close(): Promise<void> {
    this.#end.abort(this.#closed());
    this.#attempt?.abort(this.#closed());
    this.#idle?.();
    await this.#opening?.catch(() => undefined);
    await this.#stop();
  }

  async #open(): Promise<Client> {
    const { name, clock, after, dial, onError } = this.#parts;
    const attempt = new AbortController();
    const { signal } = attempt;
    this.#attempt = attempt;
    this.#set('starting');
    try {
      await unlessAborted(Promise.allSettled([after, this.#stopped]), signal);
      const connection = await openConnection(
        dial(() => this.#signIns > 0, signal),
        {
          ...{ name, clock, onError },
          before: this.#lists,
          onLists: (lists) => this.#listed(lists),
          onLost: (lost, reason) => this.#lost(lost, reason),
        },
        signal,
      );
      if (connection.client.state === 'closed') {
        // Its end was reported before it was the connection of this server.
        await connection.close();
        throw new HostError('unavailable', `${name} ended after its start.`, { server: name });
      }
      this.#connection = connection;
      this.#instructions = connection.client.instructions;
      this.#failures = 0;
      this.#set('ready');
      return connection.client;
    } catch (error) {
      if (this.#end.signal.aborted) throw this.#closed();
      this.#retryAt = clock.now() + Math.min(pauses.longest, pauses.first * 2 ** this.#failures++);
      this.#set(isSignInError(error) ? 'needs-sign-in' : 'failed', error);
      throw this.#unavailable(error);
    } finally {
      this.#attempt = undefined;
    }
  }

  #listed(lists: ServerLists): void {
    const isSame = lists.digest === this.#lists.digest;
    this.#lists = lists;
    if (!isSame) this.#parts.onLists();
  }

  #lost(connection: ServerConnection, reason: unknown): void {
    const { name, onError } = this.#parts;
    if (this.#connection !== connection) return;
    this.#stop().catch((error: unknown) => onError(error, `closing ${name}`));
    if (reason === undefined) this.#set('known');
    else this.#set(isSignInError(reason) ? 'needs-sign-in' : 'failed', reason);
  }

  /** Stops the server once it was idle for long enough. A timer runs on although requests come: setting one for each costs more. */
  #rest(): void {
    const { clock, settings, onError, name } = this.#parts;
    const { idle = usualIdle } = settings;
    if (idle === 0 || this.#idle !== undefined || this.#connection === undefined) return;
    const left = this.#usedAt + idle - clock.now();
    const isHeld = () => this.isBusy || this.#signIns > 0;
    this.#idle = clock.schedule(
      () => {
        this.#idle = undefined;
        if (isHeld() || clock.now() < this.#usedAt + idle) {
          this.#rest();
          return;
        }
        this.#stop().catch((error: unknown) => onError(error, `closing ${name}`));
        if (this.#status === 'ready') this.#set('known');
      },
      isHeld() ? idle : left,
    );
  }

  async #stop(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#idle?.();
    this.#idle = undefined;
    if (connection !== undefined) this.#stopped = connection.close();
    await this.#stopped;
  }

  #set(status: ServerStatus, error?: unknown): void {
    const isSame = status === this.#status && error === this.#error;
    this.#status = status;
    this.#error = error;
    if (!isSame) this.#parts.onStateChange(this.state);
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
  return visibleLine(text, 500);
}
