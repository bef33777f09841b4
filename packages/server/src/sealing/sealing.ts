import { serverPort } from '@tenon/mcp-protocol';
import { type SecretKey, secretsOf } from '@tenon/mcp-session/internal';
import type { Processes, State } from '@tenon/mcp-state';
import type { ReplayStore } from '@tenon/mcp-state/internal';
import type { Sealer } from './aes-sealer.js';
import type { SharedKeys } from './shared-key-ring.js';

/** A secret of 32 bytes: the bytes, or base64, base64url or hex text of them. */
export type StateKey = SecretKey;

/** Options of sealing. */
export interface SealerOptions {
  /** The current key first, then older keys that still open. Default: the keys that processes share, or one random key. */
  readonly keys?: readonly StateKey[] | undefined;
  /** The processes that share their keys if there is no `keys`. */
  readonly shared?: SharedKeys | undefined;
  /** Milliseconds until sealed state expires. Default: 10 minutes. */
  readonly lifetime?: number | undefined;
  /** The most characters of sealed text. Default: 65,536. */
  readonly size?: number | undefined;
  /** Wall clock in milliseconds, for all processes that share keys. */
  readonly now?: (() => number) | undefined;
}

/**
 * Creates a sealer (AES-256-GCM, key id and binding authenticated). Its code is loaded when the first state is sealed or opened.
 * @throws TypeError or RangeError if a key or limit is invalid.
 */
export function createSealer(options: SealerOptions = {}): Sealer {
  const { keys, lifetime = 600_000, size = 65_536, now = Date.now } = options;
  const secrets = keys === undefined ? undefined : secretsOf('stateKeys', keys);
  const shared = keys === undefined ? options.shared : undefined;
  if (!(lifetime > 0))
    throw new RangeError('The lifetime of sealed state must be a positive number of milliseconds.');
  if (!(size > 0)) throw new RangeError('The size of sealed state must be a positive number of characters.');
  let made: Promise<Sealer> | undefined;
  const make = () => {
    made ??= import('./aes-sealer.js').then(
      ({ AesSealer }) => new AesSealer({ secrets, shared, lifetime, size, now }),
    );
    return made;
  };
  const sealer: Sealer = {
    seal: async (state, binding) => (await make()).seal(state, binding),
    open: async (text, binding) => (await make()).open(text, binding),
    rotate: async () => (await make()).rotate(),
  };
  if (shared !== undefined) onRotation(shared.processes, () => sealer.rotate());
  return sealer;
}

/** The rotation of the keys of each process among those that share a state. */
const rotations = new WeakMap<Processes, () => Promise<void>>();

/** Sets the function that rotates the keys of a server. */
export function onRotation(processes: Processes, rotate: () => Promise<void>): void {
  rotations.set(processes, rotate);
}

/**
 * Adds a new key to those that seal the state of input requests, in all processes that share the `state` of the server. States that
 * are on their way can be opened until they expire: a replaced key is deleted at the first rotation after twice the `stateLifetime`.
 * Call it in one process, from time to time.
 * @throws TypeError if the server has no shared `state`, or has `stateKeys`; StateError if the state cannot be reached.
 */
export async function rotateStateKeys(server: {
  readonly [serverPort]: { readonly processes: Processes | undefined };
}): Promise<void> {
  const { processes } = server[serverPort];
  const rotate = processes && rotations.get(processes);
  if (rotate === undefined) {
    throw new TypeError(
      'rotateStateKeys: the server needs shared state, createServer(info, { state }), and no stateKeys of its own.',
    );
  }
  await rotate();
}

/** Returns the store of the sealed states that were used. Its code is loaded with the first of them. */
export function usedStates(state: State | undefined): ReplayStore {
  let made: Promise<ReplayStore> | undefined;
  return {
    async remember(owner, id, ttl) {
      made ??= import('../core/state-code.js').then(({ replayStoreOn }) => replayStoreOn(state));
      return (await made).remember(owner, id, ttl);
    },
  };
}
