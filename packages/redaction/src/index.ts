export { type Secrecy, secrecyOf } from './names.js';
export { looksRandom, redacted, webTokenIn } from './secret-values.js';
export { redactText } from './text.js';
export { type RedactOptions, type Redactor, redact, redactorOf } from './values.js';
export { closingQuote, stepOver } from './words.js';
