export {
  type ClientFile,
  clientOf,
  type EntryStyle,
  type McpClient,
  mcpClients,
} from './clients/client-table.js';
export type { FileFormat } from './formats/config-syntax.js';
export type { ChangeLine, TextChange } from './install/change-lines.js';
export type { InstallPlace } from './install/install-links.js';
export {
  applyPlan,
  type InstallPlan,
  type InstallRequest,
  installedText,
  planInstall,
  planUninstall,
} from './install/install-plan.js';
export {
  type NamedEntry,
  relativePaths,
  type ServerSource,
  sourceEntry,
} from './install/server-source.js';
