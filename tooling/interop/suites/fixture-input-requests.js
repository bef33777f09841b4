import { since } from '../run/cells.js';
import * as values from '../servers/fixtures/values.js';

/** @typedef {import('../run/cells.js').Call} Call */
/** @typedef {import('../run/cells.js').Scene} Scene */
/** @typedef {import('../run/columns.js').Column} Column */

const accepted = { action: 'accept', content: { name: 'Kåre', size: 'large', count: 3, gift: true } };
const sampled = {
  role: 'assistant',
  content: { type: 'text', text: 'Oslo' },
  model: 'test-model',
  stopReason: 'endTurn',
};
const roots = [
  { uri: 'file:///home/user/project', name: 'project' },
  { uri: 'file:///srv/d%C3%A5ta', name: 'dåta' },
];
const form = { message: values.formMessage, requestedSchema: values.form };

/** @type {readonly Call[]} */
export const calls = [
  {
    name: 'elicitation: accepted',
    run: (scene) => answering(scene, 'ask_form', { form: () => accepted }),
    expected: { asked: [{ kind: 'form', params: form }], result: accepted },
    unless: since('2025-06-18', 'elicitation'),
  },
  {
    name: 'elicitation: declined',
    run: (scene) => answering(scene, 'ask_form', { form: () => ({ action: 'decline' }) }),
    expected: { asked: [{ kind: 'form', params: form }], result: { action: 'decline' } },
    unless: since('2025-06-18', 'elicitation'),
  },
  {
    name: 'elicitation: a page',
    run: (scene) => answering(scene, 'ask_page', { url: () => ({ action: 'accept' }) }),
    expected: { asked: [{ kind: 'url', params: values.page }], result: { action: 'accept' } },
    unless: since('2025-11-25', 'elicitation by URL'),
  },
  {
    name: 'sampling',
    run: (scene) => answering(scene, 'ask_model', { sample: () => sampled }),
    expected: { asked: [{ kind: 'sample', params: values.question }], result: sampled },
  },
  {
    name: 'roots',
    run: (scene) => answering(scene, 'ask_roots', {}),
    expected: { asked: [{ kind: 'roots', params: {} }], result: { roots } },
  },
];

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
    .map(({ kind, params: { mode, elicitationId, ...params } }) => ({ kind, params }));
  return { asked, result: JSON.parse(content[0].text) };
}
