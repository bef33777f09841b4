import { type Redactor, redact } from '@tenon/redaction';
import { redactThoroughly } from './thorough/text.js';

export { redactThoroughly } from './thorough/text.js';

/**
 * Takes every credential out that can be recognised, for an option `redact`: beside those of the default keys of well-known
 * services, basic credentials, private keys and secret parameters of URLs.
 */
export const thorough: Redactor = (value) => redact(value, { text: redactThoroughly });
