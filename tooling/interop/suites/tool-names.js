/**
 * The names of a server's tools that calls about sessions and streams need.
 *
 * @typedef {object} ToolNames
 * @property {string} plain a tool that answers at once
 * @property {string} [samples] a tool that requests sampling
 * @property {Record<string, unknown>} [samplesWith]
 * @property {string} [slow] a tool that reports progress and takes time
 * @property {Record<string, unknown>} [slowWith]
 * @property {string} [polled] a tool that closes its stream before it answers
 * @property {string} [touch] a tool that updates the watched resource
 * @property {string} [watched] the URI of that resource
 */

/** @type {ToolNames} */
const basic = { plain: 'odd_text', samples: 'ask_model' };

/** @type {ToolNames} */
const fixture = { ...basic, slow: 'linger', polled: 'poll', touch: 'touch', watched: 'fixture://watched' };

/** @type {ToolNames} */
const guarded = { plain: 'whoami' };

/** @type {Record<import('../run/columns.js').ServerName, ToolNames>} */
export const toolNames = {
  'fixture-v1': fixture,
  'fixture-v1-json': fixture,
  'fixture-v2': fixture,
  'fixture-v2-sessionless': fixture,
  'fixture-tmcp': basic,
  'fixture-mcp-lite': basic,
  'fixture-fastmcp': basic,
  'guarded-v1': guarded,
  'guarded-v1-older': guarded,
  'guarded-v2': guarded,
  'guarded-tenon': guarded,
  'server-everything': {
    plain: 'get-tiny-image',
    samples: 'trigger-sampling-request',
    samplesWith: { prompt: 'Who?', maxTokens: 5 },
    slow: 'trigger-long-running-operation',
    slowWith: { duration: 0.4, steps: 4 },
  },
  'tenon-everything': {
    plain: 'test_simple_text',
    samples: 'test_sampling',
    samplesWith: { prompt: 'Who?' },
    slow: 'test_tool_with_progress',
    polled: 'test_reconnection',
    touch: 'test_trigger_resource_change',
    watched: 'test://watched-resource',
  },
};
