import { since } from '../run/cells.js';

/** @typedef {import('../run/cells.js').Call} Call */
/** @typedef {import('../run/cells.js').Column} Column */
/** @typedef {import('../run/cells.js').Scene} Scene */

const early = since('2025-11-25', 'support for tasks');
const unless = (/** @type {Column} */ column) =>
  early(column) ??
  (column.client === 'official-v1'
    ? 'the official package for tasks needs the client of the official 2.x SDK'
    : undefined);

/** @type {readonly Call[]} */
export const calls = [
  {
    name: 'task: result at once',
    unless,
    run: (scene) => ended(scene, 'greet', { name: 'Ada' }),
    expected: { isTask: false, states: [], status: 'completed', text: 'Hello, Ada!' },
  },
  {
    name: 'task: completed',
    unless,
    run: (scene) => ended(scene, 'slow_compute', { seconds: 0.3, label: 'sum' }),
    expected: completed('sum: done after 0.3 s'),
  },
  {
    name: 'task: failed as a tool',
    unless,
    run: (scene) => ended(scene, 'failing_job'),
    expected: (/** @type {Column} */ { speaks }) =>
      speaks === '2025-11-25'
        ? failed({ message: 'The job failed' })
        : { ...completed('The job failed'), isError: true },
  },
  {
    name: 'task: failed with an error',
    unless,
    run: (scene) => ended(scene, 'protocol_error_job'),
    expected: (/** @type {Column} */ { speaks }) =>
      failed({ ...(speaks > '2025-11-25' && { code: -32603 }), message: 'The job broke' }),
  },
  {
    name: 'task: cancelled',
    unless,
    async run({ peer }) {
      const call = await (await tasksOf(peer)).call('slow_compute', { seconds: 60 });
      await call.cancel();
      const { status } = await call.end();
      return [status, await call.state()];
    },
    expected: ['cancelled', 'cancelled'],
  },
  {
    name: 'task: answered, two at the same time',
    unless,
    run(scene) {
      scene.application.answers.form = ({ message }) => ({
        action: 'accept',
        content: { confirm: message.includes('old') },
      });
      return Promise.all(
        ['old.md', 'new.md'].map((filename) => ended(scene, 'confirm_delete', { filename })),
      );
    },
    expected: ['Deleted old.md', 'Kept new.md'].map((text) => completed(text, 'input_required')),
  },
  {
    name: 'task: several answers',
    unless,
    run: (scene) => {
      scene.application.answers.form = answered;
      return ended(scene, 'multi_input');
    },
    expected: completed('Alice: accept', 'input_required'),
  },
  {
    name: 'task: answered on the streams of the package alone',
    unless: (column) =>
      unless(column) ??
      (column.speaks === '2025-11-25'
        ? 'in 2025-11-25 the official package for tasks opens no stream for input requests; in the other calls the application does'
        : undefined),
    run(scene) {
      scene.application.answers.form = answered;
      return ended(scene, 'confirm_delete', { filename: 'a.md' });
    },
    expected: completed('Deleted a.md', 'input_required'),
  },
  {
    name: 'task: answered before it begins',
    unless,
    run: (scene) => {
      scene.application.answers.form = answered;
      return ended(scene, 'test_tool_with_task');
    },
    expected: (/** @type {Column} */ { speaks }) =>
      completed('Hello, Alice!', ...(speaks === '2025-11-25' ? ['input_required'] : [])),
  },
  {
    name: 'task: resumed by its reference',
    unless,
    run: resumed,
    expected: { isTask: true, status: 'completed', text: 'sum: done after 0.3 s' },
  },
];

/**
 * @param {string} text
 * @param {string[]} between states between the first and the last
 */
function completed(text, ...between) {
  return { isTask: true, states: ['working', ...between, 'completed'], status: 'completed', text };
}

/** @param {object} error */
function failed(error) {
  return { isTask: true, states: ['working', 'failed'], status: 'failed', error };
}

/** @param {any} params */
function answered({ requestedSchema }) {
  const [name = ''] = Object.keys(requestedSchema.properties);
  return { action: 'accept', content: { [name]: name === 'confirm' ? true : 'Alice' } };
}

/**
 * Leaves a task, and follows it again: over HTTP with another connection.
 *
 * @param {Scene} scene
 */
async function resumed({ peer, application, column, url, reach }) {
  const call = await (await tasksOf(peer)).call('slow_compute', { seconds: 0.3, label: 'sum' });
  const reference = await call.leave();
  const other = column.transport === 'stdio' ? peer : await reach(application, url);
  try {
    const again = await (await tasksOf(other)).resume(reference);
    // The task may end before it is followed again.
    const { states: _, ...end } = await again.end();
    return summary(again, end);
  } finally {
    if (other !== peer) await other.close();
  }
}

/**
 * Calls a tool as a task if the client decides, and returns its end.
 *
 * @param {Scene} scene
 * @param {string} tool
 * @param {Record<string, any>} [args]
 */
async function ended({ peer }, tool, args = {}) {
  const call = await (await tasksOf(peer)).call(tool, args);
  return summary(call, await call.end());
}

/**
 * @param {import('../peers/peer.js').StartedCall} call
 * @param {{ result?: any }} end
 */
function summary({ isTask }, { result, ...end }) {
  return { isTask, ...end, ...(result && { text: result.content[0].text, isError: result.isError }) };
}

/**
 * Returns the client for tasks.
 *
 * @param {import('../peers/peer.js').Peer} peer
 */
function tasksOf(peer) {
  if (peer.tasks === undefined) throw new Error('The client has no tasks.');
  return peer.tasks();
}
