import { since } from '../run/cells.js';

/** @typedef {import('../run/cells.js').Call} Call */
/** @typedef {import('../run/cells.js').Scene} Scene */

const unlessElicits = since('2025-06-18', 'elicitation');
const roots = 'file:///home/user/project, file:///srv/d%C3%A5ta';
const defaults = { name: 'John Doe', age: 30, score: 95.5, status: 'active', verified: true };
const samplingParams = (/** @type {string} */ prompt, /** @type {number} */ maxTokens) => ({
  messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
  maxTokens,
});

/** @type {readonly Call[]} */
export const calls = [
  {
    name: 'sampling',
    run: (scene) => answered(scene, 'test_sampling', { prompt: 'Which city?' }),
    expected: {
      asked: [{ kind: 'sample', params: samplingParams('Which city?', 100) }],
      text: 'LLM response: Answer to: Which city?',
    },
  },
  {
    name: 'elicitation: accepted',
    run: (scene) => answered(scene, 'test_elicitation', { message: 'Who are you?' }),
    expected: {
      asked: [
        {
          kind: 'form',
          params: {
            message: 'Who are you?',
            requestedSchema: {
              type: 'object',
              properties: {
                username: { type: 'string', description: "User's response" },
                email: { type: 'string', description: "User's email address" },
              },
              required: ['username', 'email'],
            },
          },
        },
      ],
      text: 'User response: action=accept, content={"username":"kari","email":"kari@example.com"}',
    },
    unless: unlessElicits,
  },
  {
    name: 'elicitation: declined',
    run: async (scene) => {
      const { text } = await answered(scene, 'test_elicitation', { message: 'decline' });
      return text;
    },
    expected: 'User response: action=decline, content={}',
    unless: unlessElicits,
  },
  {
    name: 'elicitation: defaults',
    run: async (scene) => {
      const { asked, text } = await answered(scene, 'test_elicitation_sep1034_defaults');
      const [{ params }] = asked;
      const { properties } = params.requestedSchema;
      return { defaults: Object.keys(properties).map((key) => [key, properties[key].default]), text };
    },
    expected: {
      defaults: Object.entries(defaults),
      text: `Elicitation completed: action=accept, content=${JSON.stringify(defaults)}`,
    },
    unless: since('2025-11-25', 'a default of any kind'),
  },
  {
    name: 'elicitation: enums',
    run: async (scene) => {
      const { asked, text } = await answered(scene, 'test_elicitation_sep1330_enums');
      const [{ params }] = asked;
      const { titledMulti, titledSingle } = params.requestedSchema.properties;
      return { titledMulti: titledMulti.items.anyOf[1], titledSingle: titledSingle.oneOf[2], text };
    },
    expected: {
      titledMulti: { const: 'value2', title: 'Second Choice' },
      titledSingle: { const: 'value3', title: 'Third Option' },
      text:
        'Elicitation completed: action=accept, content=' +
        '{"untitledSingle":"option2","titledMulti":["value1","value3"]}',
    },
    unless: since('2025-11-25', 'a form with many values in a field'),
  },
  {
    name: 'elicitation: with progress',
    run: async (scene) => (await answered(scene, 'test_streaming_elicitation')).text,
    expected: 'The user said: accept',
    unless: unlessElicits,
  },
  {
    name: 'roots',
    run: (scene) => answered(scene, 'test_input_required_result_list_roots'),
    expected: { asked: [{ kind: 'roots', params: {} }], text: `Roots: ${roots}` },
  },
  {
    name: 'input requests: in sequence',
    run: async (scene) => {
      const { asked, text } = await answered(scene, 'test_input_required_result_multi_round');
      return { asked: asked.map((/** @type {any} */ { params }) => params.message), text };
    },
    expected: {
      asked: ['Step 1: What is your name?', 'Step 2: What is your favorite color?'],
      text: 'Kari likes green',
    },
    unless: unlessElicits,
  },
  {
    name: 'input requests: three at once',
    run: async (scene) => {
      const { asked, text } = await answered(scene, 'test_input_required_result_multiple_inputs');
      return { asked: asked.map((/** @type {any} */ { kind }) => kind).sort(), text };
    },
    expected: {
      asked: ['form', 'roots', 'sample'],
      text: `Answer to: Generate a greeting, Kari! Roots: ${roots}`,
    },
    unless: unlessElicits,
  },
  {
    name: 'input requests: state kept',
    run: async (scene) => (await answered(scene, 'test_input_required_result_request_state')).text,
    expected: 'state-ok',
    unless: unlessElicits,
  },
  {
    name: 'input requests: supported by the client',
    run: async (scene) => {
      const { asked, text } = await answered(scene, 'test_input_required_result_capabilities');
      return {
        asked: asked.map((/** @type {any} */ { kind }) => kind).sort(),
        text: text.startsWith('Answers: ['),
      };
    },
    expected: (/** @type {import('../run/columns.js').Column} */ { speaks }) => ({
      asked: speaks < '2025-06-18' ? ['roots', 'sample'] : ['form', 'roots', 'sample'],
      text: true,
    }),
  },
  {
    name: 'input request: in a prompt',
    run: async ({ peer, application }) => {
      answerAs(application);
      const { messages } = await peer.prompt('test_input_required_result_prompt');
      return messages[0].content.text;
    },
    expected: 'Answer in this context: tests',
    unless: unlessElicits,
  },
];

const answers = {
  username: 'kari',
  email: 'kari@example.com',
  name: 'Kari',
  color: 'green',
  ok: true,
  context: 'tests',
  untitledSingle: 'option2',
  titledMulti: ['value1', 'value3'],
};

/** @param {import('../peers/application.js').Application} application */
function answerAs(application) {
  application.takeInputRequests();
  application.answers.form = ({ message, requestedSchema: { properties } }) => {
    if (message === 'decline') return { action: 'decline' };
    const content = 'score' in properties ? defaults : pick(answers, Object.keys(properties));
    return { action: 'accept', content };
  };
  application.answers.sample = ({ messages: [message] }) => ({
    role: 'assistant',
    content: { type: 'text', text: `Answer to: ${[message.content].flat()[0].text}` },
    model: 'test-model',
    stopReason: 'endTurn',
  });
}

/**
 * Calls a tool that sends input requests; returns the requests and the tool's result.
 *
 * @param {Scene} scene
 * @param {string} tool
 * @param {Record<string, unknown>} [args]
 * @returns {Promise<{ asked: any, text: string }>}
 */
async function answered({ peer, application }, tool, args) {
  answerAs(application);
  const { content } = await peer.call(tool, args);
  const asked = application
    .takeInputRequests()
    .map(({ kind, params: { mode, ...params } }) => ({ kind, params }));
  return { asked, text: content[0].text };
}

/**
 * @param {Record<string, unknown>} all
 * @param {string[]} keys
 */
function pick(all, keys) {
  return Object.fromEntries(keys.filter((key) => key in all).map((key) => [key, all[key]]));
}
