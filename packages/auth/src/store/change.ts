// Loaded with the first change of a store. A file of its own: bundlers leave out the rest of a package only behind a static import.
export { ConflictError, change, swapTarget } from '@tenon/mcp-state/internal';
