export { type ClientEnvironment, shortPath, stateFolder } from './clients/client-environment.js';
export {
  type ClientFile,
  clientOf,
  type EntryStyle,
  type FileScope,
  type McpClient,
  mcpClients,
} from './clients/client-table.js';
export { findServer, qualifiedName } from './clients/find-server.js';
export type { FileFormat } from './clients/formats/config-syntax.js';
export type { ChangeLine, TextChange } from './clients/install/change-lines.js';
export type { InstallPlace } from './clients/install/install-links.js';
export {
  applyPlan,
  type InstallPlan,
  type InstallRequest,
  installedText,
  planInstall,
  planUninstall,
} from './clients/install/install-plan.js';
export {
  type NamedEntry,
  relativePaths,
  type ServerSource,
  sourceEntry,
} from './clients/install/server-source.js';
export {
  type ConfigProblem,
  type ConfiguredServer,
  type ConfiguredServers,
  problemText,
  readServers,
  readServersOf,
  summaryOf,
} from './clients/read-servers.js';
export { type ReferenceValues, targetOf } from './clients/resolve-target.js';
export type { CommandEntry, ServerEntry, UrlEntry } from './clients/server-entry.js';
export { startText } from './clients/start-text.js';
export type { Reference, Template } from './clients/template.js';
export { commandLine, visibleText } from './clients/template.js';
export { type ServerUse, TrustedServers } from './clients/trusted-servers.js';
