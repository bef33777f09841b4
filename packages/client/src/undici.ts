export type { OpenSender } from '@tenon/mcp-transport-http/client';
/**
 * Sends HTTP requests on a pool of connections of undici, for `httpTarget(url, { sender: undiciSender })` in a bundle for
 * Node. It is the default of programs that are not bundled.
 */
export { openSender as undiciSender } from '@tenon/mcp-transport-http/undici';
