import { plan, serverInfo, tool, wires } from './call.js';

/**
 * Answers a request as a server without a framework would: no validation, no session.
 *
 * @param {any} message
 * @returns {object | undefined}
 */
export function answer(message) {
  const { id, method, params } = message;
  if (method === 'tools/call') {
    const wire = params._meta?.['io.modelcontextprotocol/protocolVersion']
      ? wires.stateless
      : wires.handshake;
    return wire.answer(id, plan(params.arguments));
  }
  if (id === undefined) return undefined;
  return { jsonrpc: '2.0', id, ...other(method) };
}

/** @param {string} method */
function other(method) {
  const capabilities = { tools: {} };
  const stateless = {
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
  };
  if (method === 'initialize') {
    return { result: { protocolVersion: wires.handshake.revision, capabilities, serverInfo } };
  }
  if (method === 'server/discover') {
    return { result: { supportedVersions: [wires.stateless.revision], capabilities, ...stateless } };
  }
  if (method === 'tools/list') return { result: { tools: [tool], ...stateless } };
  return { error: { code: -32601, message: 'Method not found' } };
}

/**
 * A newline-JSON server on the standard streams.
 *
 * @param {boolean} coalesced writes the answers to one chunk in one write
 */
export function serveFloor(coalesced) {
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    let out = '';
    for (const line of lines) {
      const answered = answer(JSON.parse(line));
      if (answered === undefined) continue;
      const text = `${JSON.stringify(answered)}\n`;
      if (coalesced) out += text;
      else process.stdout.write(text);
    }
    if (out !== '') process.stdout.write(out);
  });
}

/**
 * A bare JSON round trip: what two ends in one process cannot do without.
 *
 * @param {import('./call.js').Wire} wire
 * @param {number} id
 * @param {object} input
 * @returns {any} the answer
 */
export function roundTrip(wire, id, input) {
  const request = JSON.parse(JSON.stringify(wire.request(id, input)));
  return JSON.parse(JSON.stringify(wire.answer(request.id, plan(request.params.arguments))));
}
