import { type Redactor, redact } from './redaction.js';
import { redactThoroughly } from './thorough/text.js';

export { redactThoroughly } from './thorough/text.js';

/**
 * Removes all recognisable credentials, for an option `redact`: those of the default, and keys of well-known services, basic
 * credentials, private keys and secret parameters of URLs.
 */
export const thorough: Redactor = (value) => redact(value, { text: redactThoroughly });
