import { since } from '../run/cells.js';
import * as values from '../servers/fixtures/values.js';
import { block, by, isOfficial, unlessOffered } from './fixture-dialects.js';

/** @typedef {import('../run/cells.js').Call} Call */
/** @typedef {import('../run/cells.js').Scene} Scene */
/** @typedef {import('../run/columns.js').Column} Column */

const sampled = { role: 'assistant', content: block('Oslo'), model: 'test-model', stopReason: 'endTurn' };
const roots = [
  { uri: 'file:///home/user/project', name: 'project' },
  { uri: 'file:///srv/d%C3%A5ta', name: 'dåta' },
];
const { messages, systemPrompt, maxTokens } = values.question;
const accepted = (/** @type {Column} */ column) => {
  const all = { name: 'Kåre', size: 'large', count: 3, gift: true };
  return { action: 'accept', content: isOfficial(column) ? all : { name: all.name, count: all.count } };
};

/** The calls of every fixture. @type {readonly Call[]} */
export const calls = [
  {
    name: 'elicitation: accepted',
    run: (scene) => answering(scene, 'ask_form', { form: () => accepted(scene.column) }),
    expected: (/** @type {Column} */ column) => ({ asked: [form(column)], result: accepted(column) }),
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
    expected: (/** @type {Column} */ column) => {
      const { question } = values;
      const lite = { messages, systemPrompt, maxTokens };
      const params = by({ official: question, tmcp: question, lite, fast: question })(column);
      return { asked: [{ kind: 'sample', params }], result: sampled };
    },
  },
  {
    name: 'roots',
    run: (scene) => answering(scene, 'ask_roots', {}),
    expected: (/** @type {Column} */ column) => ({
      asked: [{ kind: 'roots', params: {} }],
      result: isOfficial(column) ? { roots } : roots,
    }),
    unless: unlessOffered('roots'),
  },
];

/** The calls of the official fixtures only. @type {readonly Call[]} */
export const officialCalls = [
  {
    name: 'elicitation: a page',
    run: (scene) => answering(scene, 'ask_page', { url: () => ({ action: 'accept' }) }),
    expected: { asked: [{ kind: 'url', params: values.page }], result: { action: 'accept' } },
    unless: since('2025-11-25', 'elicitation by URL'),
  },
];

/** @param {Column} column */
function form(column) {
  const { title, ...name } = values.form.properties.name;
  const { count } = values.form.properties;
  const requestedSchema = by({
    official: values.form,
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
async function answering({ peer, application, column }, tool, answers) {
  application.takeInputRequests();
  Object.assign(application.answers, answers);
  const { content, isError } = await peer.call(tool, {});
  if (isError) return content;
  const asked = application
    .takeInputRequests()
    .map(({ kind, params: { mode, elicitationId, requestedSchema, ...params } }) => {
      if (requestedSchema === undefined) return { kind, params };
      // Other frameworks name the dialect of a form.
      const { $schema, ...form } = requestedSchema;
      return { kind, params: { ...params, requestedSchema: isOfficial(column) ? requestedSchema : form } };
    });
  return { asked, result: JSON.parse(content[0].text) };
}
