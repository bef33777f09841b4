import { Buffer } from 'node:buffer';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { detach } from '@tenon/mcp-protocol/internal';
import { realClock } from '../client/connection/real-clock.js';
import { hostnameOf } from '../server/admission/loopback.js';
import { Traffic, trafficSettings } from '../server/admission/traffic.js';
import type { Body } from '../server/endpoint/http-call.js';
import { unfailing } from '../server/endpoint/unfailing.js';
import { NodeCall } from './node-call.js';

/** Answers requests for pages, as functions of the fetch API do. */
export type PageHandler = (request: Request) => Response | Promise<Response>;

/** A handler of pages as `node:http`, and frameworks on top of it, take one. */
export type NodePage = (request: IncomingMessage, response: ServerResponse) => void;

/** How pages are served. */
export interface NodePageOptions {
  /** Bytes of the body of one request, which must be UTF-8. Default 65,536; past it the answer is 413. */
  readonly bodyBytes?: number | undefined;
  /** Hears of what the handler throws; whoever asked is told that it did not work. Default: the console's error stream. */
  readonly onError?: ((error: unknown, where: string) => void) | undefined;
}

/** A handler of pages, and what it takes to serve them. */
export interface ServedPage {
  readonly handler: PageHandler;
  readonly bodyBytes: number;
  /** Must not throw. */
  readonly onError: (error: unknown, where: string) => void;
}

/** Headers of what is told to people in a line. */
export const plainText: Readonly<Record<string, string>> = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
};

const defaultBodyBytes = 65_536;

/**
 * Has a `node:http` server, or a framework on top of one, serve what answers `Request` with `Response`, such as the handler
 * of pages. Put it before what reads bodies.
 * @throws TypeError or RangeError for what cannot work.
 */
export function toNodePage(handler: PageHandler, options: NodePageOptions = {}): NodePage {
  if (typeof handler !== 'function') throw new TypeError('toNodePage takes a function of a Request.');
  for (const name of Object.keys(options)) {
    if (name !== 'bodyBytes' && name !== 'onError')
      throw new TypeError(`toNodePage: there is no option "${name}". There are: bodyBytes, onError.`);
  }
  const { bodyBytes = defaultBodyBytes, onError = (error, where) => console.error(where, error) } = options;
  if (!(bodyBytes > 0)) throw new RangeError('toNodePage: bodyBytes must be a positive number.');
  if (typeof onError !== 'function') throw new TypeError('toNodePage: onError must be a function.');
  const page: ServedPage = { handler, bodyBytes, onError: unfailing(onError) };
  const traffic = new Traffic(trafficSettings({ clock: realClock }, {}));
  return (request, response) => {
    const call = new NodeCall(request, response, { traffic });
    if (response.socket === null && call.refusesPipelining()) return;
    detach(answerPage(page, call, request), (error) => page.onError(error, 'pages'));
  };
}

/** Answers one request for a page. It never rejects. */
export async function answerPage(page: ServedPage, call: NodeCall, request: IncomingMessage): Promise<void> {
  const gone = new AbortController();
  const body = await bodyOf(call, page, leaving(call, gone));
  if (body === undefined) return;
  if ('flaw' in body) {
    // Only the operator can mend it.
    if (body.flaw.status === 500) page.onError(new TypeError(body.flaw.reason), 'pages');
    call.send(body.flaw.status, plainText, `${body.flaw.reason}\n`);
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

/** Resolves when the client goes away; aborts the work for an answer that cannot be received. */
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

/** The same request in the words of the fetch API; undefined for one that it has no words for. */
function requestOf(request: IncomingMessage, { call, text, signal }: Asked): Request | undefined {
  const host = call.header('host') ?? 'localhost';
  // What is no host would be read as more than one: as a path, or as a user.
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

/** Headers that say how an answer is carried, which is for the server to say; and the one that may be there several times. */
const apart = new Set(['connection', 'content-length', 'keep-alive', 'set-cookie', 'transfer-encoding']);

function send(call: NodeCall, answer: Response, bytes: Buffer): void {
  const { status, headers } = answer;
  const head: OutgoingHttpHeaders = {};
  for (const [name, value] of headers) if (!apart.has(name)) head[name] = value;
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) head['set-cookie'] = cookies;
  call.send(status, head, bytes);
}
