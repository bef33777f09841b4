import { type SecretKey, secretsOf } from '@tenon/mcp-session/internal';
import { loadEngine } from '../run/loading.js';
import { onRotation } from './rotation.js';
import type { Sealer } from './sealer.js';
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
    made ??= loadEngine().then(({ AesSealer }) => new AesSealer({ secrets, shared, lifetime, size, now }));
    return made;
  };
  const sealer: Sealer = {
    seal: async (state, binding) => (await make()).seal(state, binding),
    open: async (text, binding) => (await make()).open(text, binding),
    rotate: async () => (await make()).rotate(),
  };
  if (shared !== undefined) onRotation(shared.cluster, () => sealer.rotate());
  return sealer;
}
