// Shared between the packages of Tenon only: not documented, and not covered by semantic versioning.
export { requireRate } from './budget/rate.js';
export { callSafely } from './endpoint/callbacks.js';
export { requireExtensions } from './endpoint/given-extensions.js';
export { requireServer } from './endpoint/given-server.js';
export { introductionProblem, knownCapabilities, knownInfo } from './endpoint/introduction.js';
export { answerVersion, commonRevision, noCommon } from './endpoint/negotiation.js';
export { unlessLate } from './endpoint/unless-late.js';
export { describeCancelled } from './incoming/cancelled.js';
export { paramsBeforeMiddleware } from './incoming/dispatch.js';
export { totalDeadlineOf } from './incoming/input-deadline.js';
export { runThrough, type Step } from './incoming/middleware.js';
export { toWireError } from './incoming/thrown.js';
export { printable } from './printable.js';
export { keyBytes, type SecretBytes, type SecretKey, secretsOf } from './secret-keys.js';
