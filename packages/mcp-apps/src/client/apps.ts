import { type ClientExtension, defineExtension } from '@tenon/mcp-client';
import { appMimeType, extensionId } from '../model/app-metadata.js';

/**
 * The extension MCP Apps of a client, for `connect(target, { extensions: [apps()] })`. It declares that the client shows apps. Only hosts that
 * do may declare it.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#clientserver-capability-negotiation
 */
export function apps(): ClientExtension<typeof extensionId> {
  return defineExtension({ id: extensionId, settings: { mimeTypes: [appMimeType] }, external: true });
}
