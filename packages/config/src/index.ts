export {
  type ClientEnvironment,
  clientEnvironment,
  shortPath,
  stateFolder,
} from './clients/client-environment.js';
export type { FileScope } from './clients/client-table.js';
export { ConfigError } from './config-error.js';
export { defaultName, type UnnamedServer } from './entries/default-name.js';
export type { CommandEntry, ServerEntry, UrlEntry } from './entries/server-entry.js';
export type { ServerInput } from './entries/server-inputs.js';
export { commandLine, type Reference, type Template, visibleText } from './entries/template.js';
export { findServer, qualifiedName } from './servers/find-server.js';
export {
  type ConfigProblem,
  type ConfiguredServer,
  type ConfiguredServers,
  parseServers,
  problemText,
  summaryOf,
} from './servers/parse-servers.js';
export { readServers, readServersOf } from './servers/read-servers.js';
export { type ConfiguredTarget, type ReferenceValues, targetOf } from './targets/resolve-target.js';
export { startText } from './targets/start-text.js';
export { type ServerUse, TrustedServers } from './targets/trusted-servers.js';
