/**
 * What a server calls the tools that calls about sessions and streams need.
 *
 * @typedef {object} ToolNames
 * @property {string} plain answers at once
 * @property {string} [samples] asks the client's model
 * @property {Record<string, unknown>} [samplesWith]
 * @property {string} [slow] reports progress, and goes on for a while
 * @property {Record<string, unknown>} [slowWith]
 * @property {string} [polled] closes its stream before it answers
 * @property {string} [touch] updates the watched resource
 * @property {string} [watched] its URI
 */

/** @type {ToolNames} */
const kit = { plain: 'odd_text', samples: 'ask_model' };

/** @type {ToolNames} */
const fixture = { ...kit, slow: 'linger', polled: 'poll', touch: 'touch', watched: 'fixture://watched' };

/** @type {ToolNames} */
const guarded = { plain: 'whoami' };

/** @type {Record<import('../run/columns.js').ServerName, ToolNames>} */
export const toolNames = {
  'fixture-v1': fixture,
  'fixture-v1-json': fixture,
  'fixture-v2': fixture,
  'fixture-v2-sessionless': fixture,
  'fixture-tmcp': kit,
  'fixture-mcp-lite': kit,
  'fixture-fastmcp': kit,
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
