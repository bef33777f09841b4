import { type Finding, failed, passed, shortened, warned } from '../examination.js';
import { codeOf } from './address-steps.js';
import { discoverRequest, messageIn, type RawResponse, rawRequest } from './raw-request.js';

/** The first answer of a server, which decides the later steps. */
export interface FirstAnswer {
  readonly response: RawResponse;
  /** True if the server requires sign-in. */
  readonly isDenied: boolean;
  /** True if the URL may be the event stream of the transport of the first revision. */
  readonly mayBeSse: boolean;
}

/** The request of this step. */
export interface HttpRequest {
  readonly url: URL;
  /** The headers of the user. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Paths where MCP servers often are. */
const likelyPaths = ['/mcp', '/sse', '/', '/api/mcp', '/v1/mcp', '/mcp/'];

/** Sends `server/discover`, which changes nothing, and explains an answer that is not of an MCP server. */
export async function examineHttp(request: HttpRequest, signal: AbortSignal): Promise<Finding<FirstAnswer>> {
  let response: RawResponse;
  try {
    response = await probe(request, signal);
  } catch (error) {
    signal.throwIfAborted();
    return noHttp(request.url, error);
  }
  const { status } = response;
  const message = messageIn(response);
  const answer = firstAnswer(response);
  if (message !== undefined && status < 500 && status !== 405)
    return passed(`HTTP ${status} with a JSON-RPC ${'error' in message ? 'error' : 'result'}`, {
      value: answer,
    });
  if (status >= 300 && status < 400) return redirected(request, response, signal);
  if (status === 401) return passed('HTTP 401: the server requires sign-in', { value: answer });
  if (status === 403) return forbidden(response, answer);
  if (status >= 500) return broken(response);
  if ((status === 404 || status === 405 || status === 400) && (await isEventStream(request, signal)))
    return passed(`HTTP ${status} to POST, an event stream to GET: the older transport HTTP+SSE`, {
      value: { ...answer, mayBeSse: true },
    });
  return notMcp(request, response, await likelyUrls(request, signal));
}

function noHttp({ protocol, host, pathname }: URL, error: unknown): Finding<never> {
  const code = codeOf(error);
  if (code.startsWith('HPE_'))
    return failed('unreachable', `the port does not speak HTTP (${code})`, {
      fix: 'Another program listens there: compare the port.',
    });
  const fix =
    protocol === 'http:'
      ? `The port may expect TLS: try https://${host}${pathname}. Otherwise the server crashes at this request: look at its log.`
      : 'The server, or the proxy before it, crashes at this request: look at its log.';
  return failed('unreachable', `the connection was closed without an answer (${code})`, { fix });
}

/** Sends `server/discover` once. */
export function probe({ url, headers }: HttpRequest, signal: AbortSignal): Promise<RawResponse> {
  return rawRequest({ url, method: 'POST', ...discoverRequest(headers), signal });
}

async function isEventStream({ url, headers }: HttpRequest, signal: AbortSignal): Promise<boolean> {
  const stream = { ...headers, accept: 'text/event-stream' };
  const { status, header } = await rawRequest({
    url,
    method: 'GET',
    headers: stream,
    headOnly: true,
    signal,
  });
  return status === 200 && header('content-type')?.startsWith('text/event-stream') === true;
}

async function likelyUrls({ url, headers }: HttpRequest, signal: AbortSignal): Promise<readonly string[]> {
  const others = likelyPaths.filter((path) => path !== url.pathname).map((path) => new URL(path, url.origin));
  const found = await Promise.all(
    others.map(async (other) => {
      try {
        const response = await probe({ url: other, headers }, signal);
        const isServer = messageIn(response) !== undefined || isChallenge(response);
        if (isServer || (await isEventStream({ url: other, headers }, signal))) return other.href;
      } catch {
        signal.throwIfAborted();
      }
      return undefined;
    }),
  );
  return found.filter((href) => href !== undefined);
}

function isChallenge({ status, header }: RawResponse): boolean {
  return status === 401 && /bearer/i.test(header('www-authenticate') ?? '');
}

/** Redirects inside the origin that keep a message whole are followed by this client. */
const kept: ReadonlySet<number> = new Set([307, 308]);

async function redirected(
  request: HttpRequest,
  { status, header }: RawResponse,
  signal: AbortSignal,
): Promise<Finding<FirstAnswer>> {
  const { url } = request;
  const location = header('location') ?? '';
  const target = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  const shown = target === undefined ? 'nowhere' : `${target.origin}${target.pathname}`;
  const summary = `HTTP ${status} redirects to ${shown}`;
  const fix = `Use ${shown} itself: many MCP clients do not follow redirects of POST.`;
  if (target !== undefined && target.origin === url.origin && kept.has(status)) {
    const response = await probe({ ...request, url: target }, signal);
    if (messageIn(response) !== undefined || response.status === 401)
      return warned(summary, { fix, value: firstAnswer(response) });
  }
  const isLogin = /log-?in|sign-?in|auth/i.test(target?.pathname ?? '');
  return failed('unreachable', summary, {
    fix: isLogin
      ? 'A login page for browsers stands before the server. MCP clients sign in with OAuth: exclude the path of the server from that login.'
      : fix,
  });
}

function firstAnswer(response: RawResponse): FirstAnswer {
  const { status } = response;
  return { response, isDenied: status === 401 || status === 403, mayBeSse: false };
}

function forbidden(response: RawResponse, answer: FirstAnswer): Finding<FirstAnswer> {
  const isChallenged = response.header('www-authenticate') !== undefined;
  if (isChallenged) return passed('HTTP 403 with a challenge: the token lacks a scope', { value: answer });
  return failed('authorization', `HTTP 403: ${describe(response)}`, {
    fix: 'A server of this machine may reject the host or the origin (protection against DNS rebinding): use the host it names. Otherwise a firewall or proxy denies access.',
  });
}

function broken(response: RawResponse): Finding<never> {
  const isProxy = [502, 503, 504].includes(response.status);
  return failed('unreachable', `HTTP ${response.status}: ${describe(response)}`, {
    fix: isProxy
      ? 'A proxy answers, and cannot reach the server behind it: check that it runs, and the address the proxy is set up with.'
      : 'The server fails before it handles the message: look at its log.',
  });
}

function notMcp(
  { url }: HttpRequest,
  response: RawResponse,
  likely: readonly string[],
): Finding<FirstAnswer> {
  const { status } = response;
  const summary = `HTTP ${status}: ${describe(response)}`;
  if (likely.length > 0)
    return failed('unreachable', summary, { fix: `An MCP server answers at ${likely.join(' and at ')}.` });
  if (status === 404 || status === 405)
    return failed('unreachable', summary, {
      details: [`no MCP server answers at ${likelyPaths.join(', ')} of ${url.origin} either`],
      fix: 'Look up the path in the documentation or the code of the server.',
    });
  if (status === 429)
    return failed('unreachable', summary, {
      fix: `Too many requests: wait${response.header('retry-after') === undefined ? '' : ` ${response.header('retry-after')} s`}, and try again.`,
    });
  return failed('unreachable', summary, {
    fix: 'This is not an MCP server, or a proxy answers in its place: compare the URL with the documentation of the server.',
  });
}

/** Describes the body of a response that is not JSON-RPC. */
export function describe({ header, text }: RawResponse): string {
  const by = header('server') === undefined ? '' : ` of ${shortened(header('server') ?? '', 40)}`;
  const type = (header('content-type') ?? '').split(';', 1)[0];
  if (type === 'text/html' || /^\s*<(?:!doctype|html)/i.test(text)) {
    const title = /<title[^>]*>([^<]{1,200})/i.exec(text)?.[1];
    return `a page of HTML${by}${title === undefined ? '' : `, titled "${shortened(title, 80)}"`}`;
  }
  if (text.trim() === '') return `an answer${by} without a body`;
  return `${type === undefined || type === '' ? 'text' : type}${by} that is not JSON-RPC: ${shortened(text, 120)}`;
}

const mostSkew = 120_000;

/** Compares the clock of a server with that of this machine. Tokens and certificates depend on both. */
export function examineClock({ response }: FirstAnswer, now: number): Finding {
  const date = Date.parse(response.header('date') ?? '');
  if (Number.isNaN(date)) return passed('the server sends no Date header');
  const seconds = Math.round((date - now) / 1_000);
  if (Math.abs(date - now) <= mostSkew) return passed('as on this machine, within 2 minutes');
  return warned(`the clock of the server is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead' : 'behind'}`, {
    fix: 'Set both clocks by NTP: tokens are rejected as expired or not valid yet.',
  });
}
