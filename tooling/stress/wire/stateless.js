import { alone, repeatable, request, statelessHeaders, taskCapabilities, toolCall } from './messages.js';
import { sendWhole } from './requests.js';

const capabilities = { elicitation: {}, ...taskCapabilities };
const ended = ['completed', 'failed', 'cancelled'];

/**
 * A request of 2026-07-28: the URL, and the address and the time limit of its sender.
 *
 * @typedef {{ url: string, localAddress?: string, signal?: AbortSignal }} To
 */

/**
 * Calls a tool. Resolves with the response, which is a task for tools with tasks.
 *
 * @param {To} to
 * @param {import('./raw-session.js').Call & { key?: string, input?: object }} call `key` names a call that may be repeated; `input` has
 *   the answers to input requests, and their state
 */
export function callTool(to, { number, tool, given, key, input }) {
  const { params, ...rest } = toolCall(number, tool, { number, ...given });
  return exchange(to, { ...rest, params: { ...params, ...input } }, key);
}

/**
 * @param {To} to
 * @param {string} taskId
 */
export function getTask(to, taskId) {
  return exchange(to, request(1, 'tasks/get', { taskId }));
}

/**
 * Makes a task. Returns its id.
 *
 * @param {To} to
 * @param {import('./raw-session.js').Call} call
 * @returns {Promise<string>}
 */
export async function createTask(to, call) {
  const answer = await callTool(to, call);
  const taskId = answer.message?.result?.taskId;
  if (typeof taskId !== 'string')
    throw new Error(`No task was made: ${JSON.stringify(answer).slice(0, 300)}`);
  return taskId;
}

/**
 * True for a task that has ended.
 *
 * @param {{ message: any }} answer to `tasks/get`
 */
export function hasEnded({ message }) {
  return ended.includes(message?.result?.status);
}

/**
 * @param {To} to
 * @param {ReturnType<typeof request>} message
 * @param {string} [key]
 * @returns {Promise<{ status: number, message: any }>} the response, without a message if there is none
 */
async function exchange({ url, ...to }, message, key) {
  const meta = {
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...(key !== undefined && repeatable(key)),
  };
  const sent = { headers: statelessHeaders(message), message: alone(message, meta) };
  const answer = await sendWhole(url, { method: 'POST', ...sent, ...to });
  return { status: answer.status, message: answer.messages.find(({ id }) => id === message.id) };
}
