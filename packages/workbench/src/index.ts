export { type Catalog, type CatalogList, LeftOut, readCatalog, readList } from './catalog/catalog.js';
export { compareLists, describeDifference, isSameList, type ListDifference } from './catalog/lists.js';
export { observeNotifications, type ReceivedNotification } from './connections/observe-notifications.js';
export { type OpenOptions, openServer, type ServerClient } from './connections/open-server.js';
export {
  type CommandServer,
  describeTarget,
  type ServerTarget,
  type UrlServer,
} from './connections/server-target.js';
export { type FailureReason, failureOf, WorkbenchError } from './failures/workbench-error.js';
