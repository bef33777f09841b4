export {
  type AppHostLimits,
  type AppHostOptions,
  defaultAppHostLimits,
  type ModelContext,
  type ViewMessage,
  type ViewSize,
} from './host/app-host-options.js';
export { type OpenApp, openApp } from './host/open-app.js';
export { type SandboxOptions, type SandboxPage, sandboxHandler, sandboxPage } from './host/sandbox-page.js';
export type { AppCsp, AppMeta, AppPermission } from './model/app-metadata.js';
export type { AppResource, AppServer } from './model/app-server.js';
export type { DisplayMode, HostContext } from './model/host-context.js';
