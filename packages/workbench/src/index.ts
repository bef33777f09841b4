export { type Catalog, type CatalogList, readCatalog, readList } from './catalog/catalog.js';
export {
  compareLists,
  describeDifference,
  isSameList,
  type ListDifference,
} from './catalog/compare-lists.js';
export { LeftOut } from './catalog/left-out.js';
export { observeNotifications, type ReceivedNotification } from './connections/observe-notifications.js';
export { type OpenOptions, openServer, type ServerClient } from './connections/open-server.js';
export { failureOf } from './failures/failure-of.js';
export { type FailureReason, WorkbenchError } from './failures/workbench-error.js';
export { didYouMean } from './names/close-names.js';
export {
  type CommandServer,
  describeTarget,
  type ServerTarget,
  type UrlServer,
} from './targets/server-target.js';
