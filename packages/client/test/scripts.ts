import type { Revision, UnknownObject } from '@tenon/mcp-protocol';
import type { Script } from './scripted-server.js';

const everything: UnknownObject = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

/** The opening of a server that speaks one revision, and more replies. */
export function serverScript(
  revision: Revision,
  more: Script = {},
  capabilities: UnknownObject = everything,
): Script {
  return revision.lifecycle === 'handshake'
    ? { initialize: () => initializeResult(revision.id, capabilities), ...more }
    : { 'server/discover': () => discoverResult([revision.id], capabilities), ...more };
}

export function initializeResult(
  protocolVersion: string,
  capabilities: UnknownObject = everything,
): UnknownObject {
  return {
    protocolVersion,
    capabilities,
    serverInfo: { name: 'scripted', version: '1' },
    instructions: 'Be kind.',
  };
}

export function discoverResult(
  supportedVersions: readonly string[],
  capabilities: UnknownObject = everything,
): UnknownObject {
  return {
    resultType: 'complete',
    supportedVersions,
    capabilities,
    instructions: 'Be kind.',
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'scripted', version: '1' } },
  };
}
