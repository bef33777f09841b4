export { redactThoroughly, thorough } from '@tenon/foundation/redaction/thorough';
