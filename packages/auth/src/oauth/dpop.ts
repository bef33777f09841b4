import { type Clock, optionRules, requireOptions } from '@tenon/foundation';
import type { JWK } from 'jose';
import { wallClock } from '../wall-clock.js';
import type { DpopSigner } from './es256-signer.js';

export interface DpopOptions {
  /** The stored private key; default: a new one. */
  readonly key?: JWK | undefined;
  /** Its `now()` is milliseconds since 1970. */
  readonly clock?: Clock | undefined;
  /** Origins with a remembered nonce, at most; 32 by default. */
  readonly nonces?: number | undefined;
}

/**
 * Returns a signer for DPoP proofs with an ES256 key.
 * @throws TypeError or RangeError if an option is invalid; AuthError `storage` if the key cannot be used.
 */
export async function dpopSigner(options: DpopOptions = {}): Promise<DpopSigner> {
  requireOptions('dpopSigner()', options, {
    key: optionRules.object,
    clock: optionRules.object,
    nonces: optionRules.positive,
  });
  const { clock = wallClock, nonces = 32 } = options;
  // Few clients have bound tokens: the others do not load the code for keys and signatures.
  const { es256Signer } = await import('./es256-signer.js');
  return es256Signer({ key: options.key, clock, nonces });
}
