import type { ServerResponse } from 'node:http';
import type { HookAnswer } from './answer.js';

/** A header of every response. */
const marker = { 'x-test-authorization-server': 'for tests only' };

/** Sends a response, or closes the connection for `hang-up`. */
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
