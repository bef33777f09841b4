import { since } from '../run/cells.js';
import * as values from '../servers/fixtures/values.js';
import { block, by, unlessOffered } from './basic-dialects.js';

/** @typedef {import('../run/cells.js').Call} Call */
/** @typedef {import('../run/cells.js').Scene} Scene */
/** @typedef {import('../run/columns.js').Column} Column */

const accepted = { action: 'accept', content: { name: 'Kåre', count: 3 } };
const sampled = { role: 'assistant', content: block('Oslo'), model: 'test-model', stopReason: 'endTurn' };
const { messages, systemPrompt, maxTokens } = values.question;

/** @type {readonly Call[]} */
export const calls = [
  {
    name: 'elicitation: accepted',
    run: (scene) => answering(scene, 'ask_form', { form: () => accepted }),
    expected: (/** @type {Column} */ column) => ({ asked: [form(column)], result: accepted }),
    unless: since('2025-06-18', 'elicitation'),
  },
  {
    name: 'elicitation: declined',
    run: (scene) => answering(scene, 'ask_form', { form: () => ({ action: 'decline' }) }),
    expected: (/** @type {Column} */ column) => ({ asked: [form(column)], result: { action: 'decline' } }),
    unless: since('2025-06-18', 'elicitation'),
  },
  {
    name: 'sampling',
    run: (scene) => answering(scene, 'ask_model', { sample: () => sampled }),
    expected: (/** @type {Column} */ column) => ({
      asked: [
        {
          kind: 'sample',
          params: by({
            tmcp: values.question,
            lite: { messages, systemPrompt, maxTokens },
            fast: values.question,
          })(column),
        },
      ],
      result: sampled,
    }),
  },
  {
    name: 'roots',
    run: (scene) => answering(scene, 'ask_roots', {}),
    expected: {
      asked: [{ kind: 'roots', params: {} }],
      result: [
        { uri: 'file:///home/user/project', name: 'project' },
        { uri: 'file:///srv/d%C3%A5ta', name: 'dåta' },
      ],
    },
    unless: unlessOffered('roots'),
  },
];

/** @param {Column} column */
function form(column) {
  const { title, ...name } = values.form.properties.name;
  const { count } = values.form.properties;
  const requestedSchema = by({
    tmcp: { type: 'object', properties: { name, count }, required: ['name', 'count'] },
    lite: { ...values.form, properties: { ...values.form.properties, name } },
    fast: values.form,
  })(column);
  return { kind: 'form', params: { message: values.formMessage, requestedSchema } };
}

/**
 * Calls a tool that sends input requests; returns the requests and the tool's result.
 *
 * @param {Scene} scene
 * @param {string} tool
 * @param {object} answers
 */
async function answering({ peer, application }, tool, answers) {
  application.takeInputRequests();
  Object.assign(application.answers, answers);
  const { content, isError } = await peer.call(tool, {});
  if (isError) return content;
  const asked = application
    .takeInputRequests()
    .map(({ kind, params: { mode, requestedSchema, ...params } }) => {
      if (requestedSchema === undefined) return { kind, params };
      const { $schema, ...form } = requestedSchema;
      return { kind, params: { ...params, requestedSchema: form } };
    });
  return { asked, result: JSON.parse(content[0].text) };
}
