import { wallClock } from '../wall-clock.js';
import type { DpopSigner, SignerSettings } from './es256-signer.js';

/**
 * Returns a signer for DPoP proofs with an ES256 key.
 * @throws AuthError `storage` if the key cannot be used.
 */
export async function dpopSigner({
  key,
  clock = wallClock,
}: Partial<SignerSettings> = {}): Promise<DpopSigner> {
  // Few clients have bound tokens: the others do not load the code for keys and signatures.
  const { es256Signer } = await import('./es256-signer.js');
  return es256Signer({ key, clock });
}
