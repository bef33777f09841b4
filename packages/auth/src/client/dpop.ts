import type { Clock } from '@tenon/mcp-protocol';
import { optionRules, requireOptions } from '@tenon/mcp-session/internal';
import type { JWK } from 'jose';
import { wallClock } from '../wall-clock.js';
import type { DpopSigner } from './dpop-signer.js';

/** How keys are proved. */
export interface DpopOptions {
  /** The private key that was kept; a new one by default. */
  readonly key?: JWK | undefined;
  /** Its `now()` is milliseconds since 1970. */
  readonly clock?: Clock | undefined;
  /** Origins whose nonces are remembered; 32 by default. */
  readonly nonces?: number | undefined;
}

/**
 * A key of the algorithm ES256, new or as it was kept, that proves its possession.
 * @throws TypeError or RangeError for options that make no sense; AuthError `storage` for a key that cannot be used.
 */
export async function dpopSigner(options: DpopOptions = {}): Promise<DpopSigner> {
  requireOptions('dpopSigner()', options, {
    key: optionRules.object,
    clock: optionRules.object,
    nonces: optionRules.positive,
  });
  const { clock = wallClock, nonces = 32 } = options;
  // Few clients have bound tokens: the others do not load what makes keys and signatures.
  const { es256Signer } = await import('./es256-signer.js');
  return es256Signer({ key: options.key, clock, nonces });
}
