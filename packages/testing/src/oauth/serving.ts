import type { IncomingMessage, ServerResponse } from 'node:http';
import { jsonIn } from '@tenon/foundation';
import type { JsonObject } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { Authority } from './authority.js';
import { type Endpoint, endpointAt } from './endpoints.js';
import { isForm, queryOf } from './form.js';
import { type HookAnswer, type OauthProblem, problemIn } from './messages.js';

const hostOfThisMachine = /^(?:localhost|[\w-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** Answers one request over HTTP; never rejects. */
export async function serveRequest(
  request: IncomingMessage,
  response: ServerResponse,
  authority: Authority,
): Promise<void> {
  const { rest } = authority.settings;
  try {
    const [path = '/'] = (request.url ?? '/').split('?');
    const endpoint = endpointAt(path, authority);
    // Under a public host name this server would let any user sign in.
    if (!hostOfThisMachine.test(request.headers.host ?? ''))
      sendAnswer(response, { status: 403, body: 'This authorization server is for tests on one machine.' });
    else if (endpoint === undefined && rest !== undefined) rest(request, response);
    else sendAnswer(response, await answerTo(request, authority, endpoint));
  } catch (cause) {
    // A hook is part of the test: its author needs to see the error.
    const body = String((cause instanceof Error && cause.stack) || cause);
    if (response.headersSent) response.destroy();
    else sendAnswer(response, { status: 500, body });
  }
}

async function answerTo(
  incoming: IncomingMessage,
  authority: Authority,
  endpoint: Endpoint | undefined,
): Promise<HookAnswer> {
  const { bounds, onRequest } = authority.settings;
  const body = await bodyOf(incoming, bounds.bodyBytes);
  if (body === undefined)
    return { status: 413, headers: { connection: 'close' }, body: `More than ${bounds.bodyBytes} bytes.` };
  const name = endpoint?.name ?? 'other';
  const request = { endpoint: name, ...contentsOf(incoming, body), at: authority.now() };
  authority.record(request);
  const instead = await onRequest(request);
  if (instead !== undefined) return instead;
  if (endpoint === undefined) return { status: 404, body: 'Nothing is here.' };
  const { method: allow } = endpoint;
  if (request.method !== allow)
    return { status: 405, headers: { allow }, body: `Only ${allow} is answered here.` };
  const { answer, reject = (problem: OauthProblem) => problem.answer } = endpoint;
  try {
    return await answer(request, authority);
  } catch (cause) {
    return reject(problemIn(cause));
  }
}

/** Returns the whole body; undefined if it is larger than `bytes`. */
async function bodyOf(request: IncomingMessage, bytes: number): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.byteLength;
    // Reads to the end: a client that is still writing would not read the error response.
    if (size <= bytes) pieces.push(piece);
  }
  return size > bytes ? undefined : Buffer.concat(pieces).toString('utf8');
}

function contentsOf({ method = 'GET', url = '/', headers: received }: IncomingMessage, body: string) {
  const headers = Object.fromEntries(Object.entries(received).map(([name, value]) => [name, String(value)]));
  const pairs = [...new URLSearchParams(isForm(headers) ? body : queryOf(url))];
  // The first value of a repeated name is set last.
  const params = Object.fromEntries(pairs.reverse());
  const json = jsonIn(body);
  return { method, url, headers, params, json: isObject(json) ? (json as JsonObject) : undefined, body };
}

/** Sends a response, or closes the connection for `hang-up`. */
function sendAnswer(response: ServerResponse, answer: HookAnswer): void {
  if (answer === 'hang-up') {
    response.socket?.destroy();
    return;
  }
  const { status, headers, body = '' } = answer ?? { status: 404 };
  const isText = typeof body === 'string';
  const text = isText ? body : JSON.stringify(body);
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json';
  response.writeHead(status, {
    'x-test-authorization-server': 'for tests only',
    ...(text !== '' && { 'content-type': type }),
    // Answers to forms hold secrets.
    ...(response.req.method === 'POST' && { 'cache-control': 'no-store' }),
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}
