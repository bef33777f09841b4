import { HostError } from '../host-error.js';
import { ManagedServer, type ManagedServerParts } from './managed-server.js';
import type { ServerSettings } from './server-settings.js';
import type { ServerState } from './server-state.js';

export interface ServerPoolParts extends Pick<ManagedServerParts, 'clock' | 'onError'> {
  readonly dial: (
    server: { readonly name: string; readonly settings: ServerSettings },
    ...rest: Parameters<ManagedServerParts['dial']>
  ) => ReturnType<ManagedServerParts['dial']>;
  readonly signIn: (
    server: { readonly name: string; readonly settings: ServerSettings },
    signal: AbortSignal,
  ) => Promise<void>;
  readonly onStateChange: (state: ServerState) => void;
  /** Called when the lists of a server have changed, or servers were added or removed. */
  readonly onLists: () => void;
}

/** The servers of one user, by name, in the order of names. */
export class ServerPool {
  readonly #parts: ServerPoolParts;
  readonly #servers = new Map<string, ManagedServer>();

  constructor(parts: ServerPoolParts) {
    this.#parts = parts;
  }

  get all(): readonly ManagedServer[] {
    return [...this.#servers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, server]) => server);
  }

  get isBusy(): boolean {
    return [...this.#servers.values()].some(({ isBusy }) => isBusy);
  }

  /** @throws HostError `unknown-server` */
  get(name: string): ManagedServer {
    const server = this.#servers.get(name);
    if (server !== undefined) return server;
    const names = [...this.#servers.keys()].slice(0, 20).join(', ');
    throw new HostError(
      'unknown-server',
      `There is no server ${JSON.stringify(name.slice(0, 100))}. ${names === '' ? 'The host has none.' : `There are ${names}.`}`,
    );
  }

  /** @param after - resolves when the server that had the name before has ended. */
  add(name: string, settings: ServerSettings, after?: Promise<unknown>): void {
    const { clock, dial, signIn, onError, onLists, onStateChange } = this.#parts;
    const server = new ManagedServer({
      ...{ name, settings, clock, after, onError, onLists },
      dial: (mayPrompt, signal) => dial({ name, settings }, mayPrompt, signal),
      signIn: (signal) => signIn({ name, settings }, signal),
      onStateChange: (state) => {
        if (this.#servers.get(name) === server) onStateChange(state);
      },
    });
    this.#servers.set(name, server);
    onStateChange(server.state);
    onLists();
  }

  /** Closes a server and forgets it. */
  async remove(name: string): Promise<void> {
    const server = this.#servers.get(name);
    this.#servers.delete(name);
    if (server === undefined) return;
    this.#parts.onLists();
    await server.close();
  }

  async close(): Promise<void> {
    const closed = await Promise.allSettled([...this.#servers.values()].map((server) => server.close()));
    for (const outcome of closed)
      if (outcome.status === 'rejected') this.#parts.onError(outcome.reason, 'closing');
  }
}
