export { apps } from './client/apps.js';
export { type ReadAppOptions, readApp } from './client/read-app.js';
export { createAppServer, toolsFor, type VisibleTools } from './client/visible-tools.js';
export {
  type AppCsp,
  type AppMeta,
  type AppPermission,
  appMimeType,
  extensionId,
} from './model/app-metadata.js';
export type { AppResource, AppServer } from './model/app-server.js';
export { isVisibleTo, type ToolCaller, type ToolUi, toolUi } from './model/tool-ui.js';
