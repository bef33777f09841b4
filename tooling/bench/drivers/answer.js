// Reads answers like a client. Runs before and after timing, never during it.
import { workloads } from '../matrix/wires.js';

/**
 * Returns the messages of an HTTP answer, JSON or SSE.
 *
 * @param {string} body
 * @param {string} contentType
 * @returns {any[]}
 */
export function messagesOf(body, contentType) {
  if (!contentType.startsWith('text/event-stream')) return body === '' ? [] : [JSON.parse(body)].flat();
  return body
    .split(/\r?\n\r?\n/)
    .map(dataOf)
    .filter((data) => data !== '')
    .map((data) => JSON.parse(data));
}

/** @param {string} event */
function dataOf(event) {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  return lines.map((line) => line.slice('data:'.length).trim()).join('\n');
}

/**
 * Returns the problem with the messages that answer one request: a missing or extra message, gaps in progress, a wrong result.
 *
 * @param {readonly any[]} messages
 * @param {{ id: number, workload: keyof typeof workloads }} asked
 * @returns {string | undefined}
 */
export function problemOf(messages, { id, workload }) {
  const expected = workloads[workload];
  const last = messages.at(-1);
  if (last?.id !== id) return `no answer to ${id} but ${shown(last)}`;
  if (last.error !== undefined) return `an error was answered: ${shown(last)}`;
  const progress = messages.slice(0, -1);
  const skipped = progress.findIndex(
    ({ method, params }, index) =>
      method !== 'notifications/progress' || params.progressToken !== id || params.progress !== index + 1,
  );
  if (skipped !== -1) return `not the progress that was due: ${shown(progress[skipped])}`;
  if (messages.length !== expected.messages) return `${messages.length} messages, not ${expected.messages}`;
  return expected.problem(last.result);
}

/**
 * True if the server refused invalid arguments, with an error or an error result.
 *
 * @param {readonly any[]} messages
 */
export function isRefusal(messages) {
  const last = messages.at(-1);
  return last?.error !== undefined || last?.result?.isError === true;
}

/** @param {unknown} message */
export function shown(message) {
  return String(JSON.stringify(message)).slice(0, 300);
}
