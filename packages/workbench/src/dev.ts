export type { ErrorReport } from './dev/child/child-messages.js';
export type { CallEvent, DevEvent } from './dev/dev-events.js';
export { type DevLimits, type DevOptions, type DevTarget, defaultDevLimits } from './dev/dev-options.js';
export { type ExplainedError, explainError, type SourcePlace } from './dev/explained-error.js';
export type { ListChange, ListName } from './dev/lists/list-snapshot.js';
export { type DevServer, startDev } from './dev/supervisor/dev-server.js';
export { type FileServerOptions, fileServer } from './dev/supervisor/launch.js';
