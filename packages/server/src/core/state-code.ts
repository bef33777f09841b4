// The code that a server needs of shared state, which it loads with the first use. An import of the package itself would bring all of its code into bundles.
export { ConflictError, change, quotaOn, replayStoreOn } from '@tenon/mcp-state/internal';
