import { expectedText, serverInfo } from '../runs/wire.js';

/**
 * The answer of a server without a framework.
 *
 * @param {any} message
 * @returns {object | undefined} undefined for a notification
 */
export function bareAnswer({ id, method, params }) {
  if (id === undefined) return undefined;
  const isStateless = params?._meta?.['io.modelcontextprotocol/protocolVersion'] !== undefined;
  const stamp = isStateless && {
    resultType: 'complete',
    _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
  };
  const result = bareResult(method, params);
  if (result === undefined)
    return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
  return { jsonrpc: '2.0', id, result: { ...result, ...stamp } };
}

/**
 * @param {string} method
 * @param {any} params
 */
function bareResult(method, params) {
  const capabilities = { tools: {} };
  switch (method) {
    case 'initialize':
      return { protocolVersion: params.protocolVersion, capabilities, serverInfo };
    case 'server/discover':
      return { supportedVersions: ['2026-07-28'], capabilities, ttlMs: 0, cacheScope: 'private' };
    case 'tools/call':
      return { content: [{ type: 'text', text: expectedText }], isError: false };
    default:
      return undefined;
  }
}
