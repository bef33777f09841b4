import { count, echo, manyNames, plan, serverInfo } from '../../matrix/tools.js';
import { wires } from '../../matrix/wires.js';

/**
 * @typedef {object} Request
 * @property {number | string} id
 * @property {string} method
 * @property {{ name?: string, arguments?: object, _meta?: { progressToken?: number | string } }} [params]
 *
 * @typedef {(request: Request) => object} Answers returns the answer to a request
 */

/**
 * The form of results in a lifecycle.
 *
 * @typedef {object} Results
 * @property {(text: string) => object} call
 * @property {(list: object) => object} list
 */

const capabilities = { tools: {} };
const resultType = 'complete';
const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };

/** @type {Results} */
const bare = {
  call: (text) => ({ content: [{ type: 'text', text }], isError: false }),
  list: (list) => list,
};

/** @type {Results} */
const stamped = {
  call: (text) => ({ content: [{ type: 'text', text }], isError: false, resultType, _meta }),
  list: (list) => ({ ...list, resultType, ttlMs: 0, cacheScope: 'private', _meta }),
};

/**
 * Answers requests of one lifecycle like a server without a framework.
 *
 * @param {Pick<import('../base/offered-tools.js').Served, 'lifecycle' | 'catalogue'>} served
 * @returns {Answers}
 */
export function answersOf({ lifecycle, catalogue }) {
  const results = lifecycle === 'stateless' ? stamped : bare;
  const tools = toolsOf(catalogue);
  const listed = [...tools.values()].map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
  /** @type {Record<string, () => object>} */
  const others = {
    'tools/list': () => results.list({ tools: listed }),
    initialize: () => ({ protocolVersion: wires.session.revision, capabilities, serverInfo }),
    'server/discover': () => stamped.list({ supportedVersions: [wires.stateless.revision], capabilities }),
  };
  return ({ id, method, params }) => {
    if (method === 'tools/call') {
      const text = /** @type {any} */ (tools.get(params.name)).run(params.arguments);
      return { jsonrpc: '2.0', id, result: results.call(text) };
    }
    const answer = others[method];
    if (answer === undefined)
      return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
    return { jsonrpc: '2.0', id, result: answer() };
  };
}

/**
 * Yields the progress messages of a counting call, each made when it is due; undefined for other requests.
 *
 * @param {Request} request
 * @returns {Iterable<object> | undefined}
 */
export function progressOf({ method, params }) {
  const progressToken = params?._meta?.progressToken;
  if (method !== 'tools/call' || params.name !== count.name || progressToken === undefined) return undefined;
  return steps(params.arguments.to, progressToken);
}

/**
 * @param {number} to
 * @param {number | string} progressToken
 */
function* steps(to, progressToken) {
  for (let progress = 1; progress <= to; progress++) {
    yield {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken, progress, total: to },
    };
  }
}

/** @param {'few' | 'many'} catalogue */
function toolsOf(catalogue) {
  const few = [plan, echo, { ...count, run: count.done }];
  const tools = catalogue === 'many' ? manyNames.map((name) => ({ ...plan, name })) : few;
  return new Map(tools.map((tool) => [tool.name, tool]));
}
