export { type AppCsp, type AppPermission, appMimeType, extensionId } from './model/app-metadata.js';
export type { ToolCaller } from './model/tool-ui.js';
export type { AppOptions } from './server/app-options.js';
export {
  type Apps,
  type AppsOptions,
  type AppToolOptions,
  apps,
  showsApps,
  type ToolUiOption,
} from './server/apps.js';
