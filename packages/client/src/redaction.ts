export { redactThoroughly, thorough } from '@tenon/redaction/thorough';
