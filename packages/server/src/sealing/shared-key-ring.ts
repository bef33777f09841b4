import { type Clock, detach, pause } from '@tenon/foundation';
import { ErrorCode, RpcError } from '@tenon/mcp-protocol';
import type { Processes } from '@tenon/mcp-state';
import { SecretList } from '@tenon/mcp-state/internal';
import { importKeys, type KeyRing, keyOf, type RingKey, type RingKeys } from './key-ring.js';

/** The dependencies of a {@link SharedKeyRing}. */
export interface SharedKeys {
  readonly processes: Processes;
  readonly clock: Clock;
  /** Receives failures of the state. Must not throw. */
  readonly onError: (error: unknown, where: string) => void;
}

interface SealTimes {
  /** Milliseconds for which sealed state can be opened. */
  readonly lifetime: number;
  /** Wall clock in milliseconds. */
  readonly now: () => number;
}

/** Milliseconds between two reads because of states that were sealed with unknown keys. */
const rereadAfter = 1_000;
const kind = 'state-keys';

/**
 * The keys that all processes with the same state share. A process reads them on first use, after a broadcast of the process that
 * rotated them, when a state was sealed with an unknown key, and before it seals with a copy older than the lifetime of a state.
 */
export class SharedKeyRing implements KeyRing {
  readonly #shared: SharedKeys;
  readonly #lifetime: number;
  readonly #list: SecretList;
  #copy: Promise<RingKeys> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  /** Reads that were started. */
  #reads = 0;
  #reread: Promise<RingKeys> | undefined;

  constructor(shared: SharedKeys, { lifetime, now }: SealTimes) {
    const { processes } = shared;
    this.#shared = shared;
    this.#lifetime = lifetime;
    this.#list = new SecretList(processes.state, 'request-state', now);
    processes.handle(kind, () => this.#forget());
    processes.onGap(() => this.#forget());
  }

  async current(): Promise<RingKey> {
    if (this.#shared.clock.now() - this.#readAt >= this.#lifetime) this.#forget();
    return (await this.#keys())[0];
  }

  async find(id: Uint8Array): Promise<RingKey | undefined> {
    const reads = this.#reads;
    const found = keyOf(await this.#keys(), id);
    const isFresh = this.#reads > reads;
    return found !== undefined || isFresh ? found : keyOf(await this.#readAgain(), id);
  }

  /** Adds a new key that seals from now on. Replaced keys open states until the last state that they can have sealed has expired. */
  async rotate(): Promise<void> {
    const { processes, onError } = this.#shared;
    // A process that missed the broadcast seals with its copy for one lifetime, and its states live for another.
    await this.#list.rotate(2 * this.#lifetime);
    this.#forget();
    await processes.broadcast(kind, null).catch((error: unknown) => onError(error, kind));
  }

  #forget(): void {
    this.#copy = undefined;
  }

  #keys(): Promise<RingKeys> {
    if (this.#copy !== undefined) return this.#copy;
    const copy = this.#read();
    this.#copy = copy;
    detach(copy, () => {
      if (this.#copy === copy) this.#forget();
    });
    return copy;
  }

  async #read(): Promise<RingKeys> {
    this.#reads++;
    this.#readAt = this.#shared.clock.now();
    try {
      const [first, ...others] = await this.#list.read();
      return await importKeys([first.secret, ...others.map(({ secret }) => secret)]);
    } catch (error) {
      this.#shared.onError(error, kind);
      throw unreadable(error);
    }
  }

  /** Reads the keys again, not before the pause since the last read is over. Callers that wait share one read. */
  #readAgain(): Promise<RingKeys> {
    this.#reread ??= this.#pause().then(() => {
      this.#reread = undefined;
      this.#forget();
      return this.#keys();
    });
    return this.#reread;
  }

  #pause(): Promise<void> {
    const { clock } = this.#shared;
    const ms = this.#readAt + rereadAfter - clock.now();
    return ms <= 0 ? Promise.resolve() : pause(clock, ms);
  }
}

function unreadable(cause: unknown): RpcError {
  const message = 'The keys of params.requestState cannot be read now; try again later.';
  return new RpcError(ErrorCode.overloaded, message, { cause });
}
