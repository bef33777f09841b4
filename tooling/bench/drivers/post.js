import { messagesOf } from './answer.js';

/**
 * Sends one POST and reads the complete answer.
 *
 * @param {import('undici').Pool} pool
 * @param {{ path: string, headers: Record<string, string>, body: string }} request
 */
export async function post(pool, request) {
  const answer = await pool.request({ method: 'POST', ...request });
  const { statusCode: status, headers } = answer;
  const text = await answer.body.text();
  const type = String(headers['content-type'] ?? '');
  return { status, headers, messages: /json|event-stream/.test(type) ? messagesOf(text, type) : [text] };
}
