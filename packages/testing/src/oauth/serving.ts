import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Authority } from './authority/authority.js';
import type { Endpoint } from './endpoints.js';
import { type HookAnswer, OauthProblem } from './http/answer.js';
import { readRequest } from './http/requests.js';
import type { TestAuthorizationServerOptions } from './options/test-authorization-server.js';

/** The server's options for handling requests. */
export interface ServingParts {
  readonly authority: Authority;
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  readonly bodyBytes: number;
  readonly rest: TestAuthorizationServerOptions['rest'];
}

const hostOfThisMachine = /^(?:localhost|[\w-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** Answers one request over HTTP; never rejects. */
export async function serveRequest(
  request: IncomingMessage,
  response: ServerResponse,
  parts: ServingParts,
): Promise<void> {
  try {
    const [path = '/'] = (request.url ?? '/').split('?');
    const endpoint = parts.endpoints.get(path);
    // Under a public host name this server would let any user sign in.
    if (!hostOfThisMachine.test(request.headers.host ?? ''))
      sendAnswer(response, { status: 403, body: 'This authorization server is for tests on one machine.' });
    else if (endpoint === undefined && parts.rest !== undefined) parts.rest(request, response);
    else sendAnswer(response, await answerTo(request, endpoint, parts));
  } catch (problem) {
    if (response.headersSent) response.destroy();
    else sendAnswer(response, answerFor(problem));
  }
}

async function answerTo(
  incoming: IncomingMessage,
  endpoint: Endpoint | undefined,
  { authority, bodyBytes }: ServingParts,
): Promise<HookAnswer> {
  const { settings, now } = authority;
  const request = await readRequest(incoming, endpoint?.name ?? 'other', { bytes: bodyBytes, now });
  if (request === undefined)
    return { status: 413, headers: { connection: 'close' }, body: `More than ${bodyBytes} bytes.` };
  authority.record(request);
  const instead = await settings.onRequest(request);
  if (instead !== undefined) return instead;
  if (endpoint === undefined) return { status: 404, body: 'Nothing is here.' };
  const { method: allow } = endpoint;
  if (request.method === allow) return endpoint.answer(request, authority);
  return { status: 405, headers: { allow }, body: `Only ${allow} is answered here.` };
}

function answerFor(problem: unknown): HookAnswer {
  if (problem instanceof OauthProblem) return problem.answer;
  // A hook is part of the test: its author needs to see the error.
  const body = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
  return { status: 500, body };
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
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}
