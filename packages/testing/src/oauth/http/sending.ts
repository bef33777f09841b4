import type { ServerResponse } from 'node:http';
import type { HookAnswer } from '../answer.js';

/** Stands on every answer. */
const marker = { 'x-test-authorization-server': 'for tests only' };

/** Sends an answer, or closes the connection where there is to be none. */
export function sendAnswer(response: ServerResponse, answer: HookAnswer): void {
  if (answer === 'hang-up') {
    response.socket?.destroy();
    return;
  }
  const { status, headers, body } = answer ?? { status: 404 };
  const isText = typeof body === 'string' || body === undefined;
  const text = isText ? (body ?? '') : JSON.stringify(body);
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json';
  response.writeHead(status, {
    ...marker,
    ...(text !== '' && { 'content-type': type }),
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}
