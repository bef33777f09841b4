export { type Catalog, readCatalog } from './catalog/catalog.js';
export { type OpenOptions, openServer, type ServerClient } from './connections/open-server.js';
export { failureOf } from './failures/failure-of.js';
export { type FailureReason, WorkbenchError } from './failures/workbench-error.js';
export { closeNames } from './targets/close-names.js';
export {
  type CommandServer,
  describeTarget,
  type ServerTarget,
  type UrlServer,
} from './targets/server-target.js';
