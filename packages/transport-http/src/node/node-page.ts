import { Buffer } from 'node:buffer';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { constantsOf, detach, optionRules, requireOptions, systemClock } from '@tenon/foundation';
import { hostnameOf } from '../server/admission/host-rules.js';
import { Traffic, trafficSettings } from '../server/admission/traffic.js';
import { unfailing } from '../server/call/application.js';
import type { Body } from '../server/call/http-call.js';
import { NodeCall } from './node-call.js';

/** Handles requests for pages: a function of the fetch API. */
export type PageHandler = (request: Request) => Response | Promise<Response>;

/** A handler of pages for `node:http`, and for frameworks on top of it. */
export type NodePage = (request: IncomingMessage, response: ServerResponse) => void;

/** Options of {@link toNodePage}. */
export interface NodePageOptions {
  /** Receives errors that the handler throws; the client receives status 500. Default: writes to the console's error stream. */
  readonly onError?: ((error: unknown, where: string) => void) | undefined;
}

/** A handler of pages and its settings. */
export interface ServedPage {
  readonly handler: PageHandler;
  readonly bodyBytes: number;
  /** Must not throw. */
  readonly onError: (error: unknown, where: string) => void;
}

/** Headers of a one-line text for people. */
export const plainText: Readonly<Record<string, string>> = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
};

/** Bytes of the body of one request for a page, which must be UTF-8; a longer body is answered 413. */
export const pageBounds = { bodyBytes: 65_536 };
const pageRules = { onError: optionRules.callable };

/**
 * Adapts a function that answers `Request` with `Response`, such as a handler of pages, to a `node:http` server or a
 * framework on top of one. Install it before middleware that reads bodies.
 * @throws TypeError or RangeError if the handler or an option is invalid.
 */
export function toNodePage(handler: PageHandler, options: NodePageOptions = {}): NodePage {
  if (typeof handler !== 'function')
    throw new TypeError('toNodePage needs a function that accepts a Request and returns a Response.');
  requireOptions('toNodePage', options, pageRules);
  const { onError = (error, where) => console.error(where, error) } = options;
  const page: ServedPage = { handler, ...constantsOf(pageBounds, options), onError: unfailing(onError) };
  const traffic = new Traffic(trafficSettings({ clock: systemClock }, {}));
  return (request, response) => {
    const call = new NodeCall(request, response, { traffic });
    if (response.socket === null && call.refusesPipelining()) return;
    detach(answerPage(page, call, request), (error) => page.onError(error, 'pages'));
  };
}

/** Answers one request for a page. Never rejects. */
export async function answerPage(page: ServedPage, call: NodeCall, request: IncomingMessage): Promise<void> {
  const gone = new AbortController();
  const body = await bodyOf(call, page, leaving(call, gone));
  if (body === undefined) return;
  if ('problem' in body) {
    // Only the operator can fix this.
    if (body.problem.status === 500) page.onError(new TypeError(body.problem.reason), 'pages');
    call.send(body.problem.status, plainText, `${body.problem.reason}\n`);
    return;
  }
  const asked =
    call.repeated === undefined &&
    'text' in body &&
    requestOf(request, { call, text: body.text, signal: gone.signal });
  if (!asked) {
    call.send(400, plainText, 'This request cannot be read.\n');
    return;
  }
  try {
    const answer = await page.handler(asked);
    const bytes = Buffer.from(await answer.arrayBuffer());
    send(call, answer, bytes);
  } catch (error) {
    page.onError(error, 'pages');
    call.send(500, plainText, 'This did not work.\n');
  }
}

/** Resolves when the client disconnects, and aborts the work on its answer. */
function leaving(call: NodeCall, gone: AbortController): Promise<undefined> {
  return new Promise((resolve) => {
    call.onGone(() => {
      gone.abort();
      resolve(undefined);
    });
  });
}

function hasBody({ method }: NodeCall): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

async function bodyOf(
  call: NodeCall,
  { bodyBytes }: ServedPage,
  closed: Promise<undefined>,
): Promise<Body | undefined> {
  if (!hasBody(call)) return { text: '' };
  return Promise.race([closed, new Promise<Body>((resolve) => call.readBody(bodyBytes, resolve))]);
}

interface Asked {
  readonly call: NodeCall;
  readonly text: string;
  readonly signal: AbortSignal;
}

/** Returns the request as an object of the fetch API; undefined if it cannot be expressed as one. */
function requestOf(request: IncomingMessage, { call, text, signal }: Asked): Request | undefined {
  const host = call.header('host') ?? 'localhost';
  // An invalid host could be read as more than a host: as a path, or as user information.
  if (hostnameOf(host) === undefined) return undefined;
  const { encrypted } = (request.socket ?? {}) as Partial<Socket> & { readonly encrypted?: boolean };
  const url = call.url.startsWith('/') ? `${encrypted ? 'https' : 'http'}://${host}${call.url}` : call.url;
  const { method } = call;
  try {
    const headers = headersOf(request);
    headers.set('host', host);
    return new Request(url, { method, headers, signal, ...(hasBody(call) && { body: text }) });
  } catch {
    return undefined;
  }
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (!name.startsWith(':')) headers.append(name, value);
  }
  return headers;
}

/** Headers that only the server sets, because they describe the connection; and `set-cookie`, which may have several values. */
const apart = new Set(['connection', 'content-length', 'keep-alive', 'set-cookie', 'transfer-encoding']);

function send(call: NodeCall, answer: Response, bytes: Buffer): void {
  const { status, headers } = answer;
  const head: OutgoingHttpHeaders = {};
  for (const [name, value] of headers) if (!apart.has(name)) head[name] = value;
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) head['set-cookie'] = cookies;
  call.send(status, head, bytes);
}
