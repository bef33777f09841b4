import { loadEngine } from './loading.js';
import type { Sealer } from './sealer.js';
import { type StateKey, secretsOf } from './state-keys.js';

export type { StateKey } from './state-keys.js';

/** How state is sealed. */
export interface SealerOptions {
  /** Current key first, then those that still open. Default: one random key per process. */
  readonly keys?: readonly StateKey[] | undefined;
  /** Milliseconds sealed state can be opened for. Default 10 minutes. */
  readonly lifetime?: number | undefined;
  /** Characters of sealed text, at most. Default 65,536. */
  readonly size?: number | undefined;
  /** Wall clock in milliseconds, for all processes that share keys. */
  readonly now?: (() => number) | undefined;
}

/**
 * A sealer (AES-256-GCM, key id and binding authenticated). Its code is loaded when the first state is sealed or opened.
 * @throws TypeError or RangeError for keys and bounds that cannot work.
 */
export function createSealer(options: SealerOptions = {}): Sealer {
  const { keys, lifetime = 600_000, size = 65_536, now = Date.now } = options;
  const secrets = keys === undefined ? undefined : secretsOf(keys);
  if (!(lifetime > 0))
    throw new RangeError('The lifetime of sealed state must be a positive number of milliseconds.');
  if (!(size > 0)) throw new RangeError('The size of sealed state must be a positive number of characters.');
  let made: Promise<Sealer> | undefined;
  const make = () => {
    made ??= loadEngine().then(({ AesSealer }) => new AesSealer({ secrets, lifetime, size, now }));
    return made;
  };
  return {
    seal: async (state, binding) => (await make()).seal(state, binding),
    open: async (text, binding) => (await make()).open(text, binding),
  };
}
