export { type Secrecy, secrecyOf } from './names.js';
export { closingQuote, looksRandom, redacted, redactText } from './text.js';
export { type RedactOptions, type Redactor, redact, redactorOf } from './values.js';
