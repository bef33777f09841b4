export { type Secrecy, secrecyOf } from './redaction/names.js';
export { redacted } from './redaction/secret-values.js';
export { redactText } from './redaction/text.js';
export { type RedactOptions, type Redactor, redact, redactorOf } from './redaction/values.js';
