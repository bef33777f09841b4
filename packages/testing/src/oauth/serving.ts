import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Authority } from './authority/authority.js';
import { type HookAnswer, OauthProblem } from './http/answer.js';
import type { RequestLog } from './http/request-log.js';
import { readRequest } from './http/request-reading.js';
import type { TestAuthorizationServerOptions } from './options/test-authorization-server.js';
import type { Route } from './routes.js';

/** The server's options for handling requests. */
export interface ServingParts {
  readonly authority: Authority;
  readonly routes: ReadonlyMap<string, Route>;
  readonly log: RequestLog;
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
    // Under a public host name this server would let any user sign in.
    if (!hostOfThisMachine.test(request.headers.host ?? ''))
      return sendAnswer(response, {
        status: 403,
        body: 'This authorization server is for tests on one machine.',
      });
    const [path = '/'] = (request.url ?? '/').split('?');
    const route = parts.routes.get(path);
    if (route === undefined && parts.rest !== undefined) return parts.rest(request, response);
    sendAnswer(response, await answerTo(request, route, parts));
  } catch (problem) {
    if (response.headersSent) response.destroy();
    else sendAnswer(response, answerFor(problem));
  }
}

async function answerTo(
  incoming: IncomingMessage,
  route: Route | undefined,
  { authority, log, bodyBytes }: ServingParts,
): Promise<HookAnswer> {
  const { settings, now } = authority;
  const request = await readRequest(incoming, route?.endpoint ?? 'other', { bytes: bodyBytes, now });
  if (request === undefined)
    return { status: 413, headers: { connection: 'close' }, body: `More than ${bodyBytes} bytes.` };
  log.add(request);
  const instead = await settings.onRequest?.(request);
  if (instead !== undefined) return instead;
  if (route === undefined) return { status: 404, body: 'Nothing is here.' };
  if (request.method !== route.method)
    return { status: 405, headers: { allow: route.method }, body: `Only ${route.method} is answered here.` };
  return route.answer(request, authority);
}

function answerFor(problem: unknown): HookAnswer {
  if (problem instanceof OauthProblem) return problem.answer;
  // A hook is part of the test: its author needs to see the error.
  return {
    status: 500,
    body: problem instanceof Error ? (problem.stack ?? problem.message) : String(problem),
  };
}

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
