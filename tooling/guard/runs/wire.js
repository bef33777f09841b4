// The messages that scripted peers write and expect.

/**
 * @typedef {import('./runs.js').Run} Run
 *
 * @typedef {object} Message
 * @property {'2.0'} jsonrpc
 * @property {number} [id]
 * @property {string} method
 * @property {Record<string, unknown>} [params]
 *
 * @typedef {object} Wire
 * @property {string} revision
 * @property {readonly Message[]} opening the first messages of a client; only the first is a request
 * @property {(id: number) => Message} request
 * @property {(message: Message) => Record<string, string>} headers of the HTTP request with that body
 * @property {(answers: readonly any[]) => string | undefined} problem the problem with the messages that answered one request
 */

/** Progress messages of one call of `count`. */
export const steps = 100;

/** Tools in the listed catalogue. */
export const manyTools = 500;

export const serverInfo = { name: 'guard', version: '1.0.0' };
export const clientInfo = { name: 'guard-peer', version: '1.0.0' };
export const goodArguments = { city: 'Oslo', days: 3 };
export const expectedText = '3 days in Oslo';

const handshakeRevision = '2025-11-25';
const statelessRevision = '2026-07-28';

const envelope = {
  'io.modelcontextprotocol/protocolVersion': statelessRevision,
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** @type {readonly Message[]} */
const handshake = [
  {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: handshakeRevision, capabilities: {}, clientInfo },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
];

/** @type {readonly Message[]} */
const discovery = [{ jsonrpc: '2.0', id: 0, method: 'server/discover', params: { _meta: envelope } }];

/** @type {Record<Run['lifecycle'], Wire['opening']>} */
const openings = { stateless: discovery, session: handshake, sessionless: [] };

/** @type {Record<Run['workload'], { method: string, params: (id: number) => Record<string, unknown>, problem: Wire['problem'] }>} */
const workloads = {
  call: {
    method: 'tools/call',
    params: () => ({ name: 'plan', arguments: goodArguments }),
    problem: (answers) =>
      answers.length === 1 ? textProblem(answers[0], expectedText) : `${answers.length} answers`,
  },
  keyed: {
    method: 'tools/call',
    params: (id) => ({
      name: 'plan',
      arguments: goodArguments,
      _meta: { 'dev.tenon/idempotency-key': String(id) },
    }),
    problem: ([answer]) => textProblem(answer, expectedText),
  },
  list: {
    method: 'tools/list',
    params: () => ({}),
    problem: ([answer]) =>
      answer?.result?.tools?.length === manyTools ? undefined : `${answer?.result?.tools?.length} tools`,
  },
  progress: {
    method: 'tools/call',
    params: (id) => ({ name: 'count', arguments: { to: steps }, _meta: { progressToken: id } }),
    problem: (answers) =>
      answers.length === steps + 1
        ? textProblem(answers.at(-1), `counted to ${steps}`)
        : `${answers.length - 1} progress messages`,
  },
};

/**
 * @param {Run} run
 * @returns {Wire}
 */
export function wireOf({ lifecycle, workload }) {
  const { method, params, problem } = workloads[workload];
  const isStateless = lifecycle === 'stateless';
  const revision = isStateless ? statelessRevision : handshakeRevision;
  return {
    revision,
    opening: openings[lifecycle],
    request(id) {
      const given = params(id);
      const meta = { .../** @type {object | undefined} */ (given._meta), ...envelope };
      return { jsonrpc: '2.0', id, method, params: isStateless ? { ...given, _meta: meta } : given };
    },
    headers: (message) => ({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      ...(isStateless && { 'mcp-method': message.method }),
      ...(isStateless && typeof message.params?.name === 'string' && { 'mcp-name': message.params.name }),
    }),
    problem,
  };
}

/**
 * @param {any} answer
 * @param {string} text
 */
function textProblem(answer, text) {
  const [block, ...more] = answer?.result?.content ?? [];
  const isRight = block?.text === text && more.length === 0 && answer.result.isError !== true;
  return isRight ? undefined : JSON.stringify(answer)?.slice(0, 300);
}
