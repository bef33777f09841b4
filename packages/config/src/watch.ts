export type { ServerChanges } from './watch/server-changes.js';
export { type ServerWatcher, type WatchOptions, watchServers } from './watch/watch-servers.js';
