// Shared between the packages of Tenon only: not documented, and not covered by semantic versioning.

export { printable } from '@tenon/foundation/redaction';

export { callSafely } from './callbacks.js';
export { requireExtensions, requireServer } from './conversation/argument-checks.js';
export { introductionProblem, knownCapabilities, knownInfo } from './conversation/introduction.js';
export { noCommon } from './conversation/negotiation.js';
export { unlessLate } from './conversation/unless-late.js';
export { describeCancelled } from './incoming/cancelled-requests.js';
export { toWireError } from './incoming/thrown.js';
export { defaultSessionLimits, sessionBounds } from './limits/limits.js';
export { requireRate } from './limits/rate.js';
export { totalDeadlineOf } from './outgoing/pending-requests.js';
export { runThrough, type Step } from './requests/middleware.js';
export { sessionIdOf } from './requests/session-id.js';
export { keyBytes, type SecretBytes, type SecretKey, secretsOf } from './secret-keys.js';
