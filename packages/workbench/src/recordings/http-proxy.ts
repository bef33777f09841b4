import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { follow, jsonIn } from '@tenon/foundation';
import { isObject } from '@tenon/mcp-protocol/internal';
import { type ConnectionRecorder, DeferredRecorder } from '@tenon/mcp-testing/recordings';
import { bodyOf, headerIn } from '../connections/send-request.js';
import { WorkbenchError } from '../failures/workbench-error.js';
import { passOn } from '../forwarding/pass-on.js';
import { forwardedRequest, forwardedResponse, type ProxyAddresses, upstreamUrl } from './http-forwarding.js';
import { HttpSessions, type MessageOrigin } from './http-sessions.js';
import { pageProblem } from './page-requests.js';
import { type RecorderOptions, RecordingFile, type RecordingSummary } from './recording-file.js';
import { type Recorded, ResponseTap } from './response-tap.js';

/** Options of a recording proxy over HTTP. */
export interface HttpProxyOptions extends RecorderOptions {
  /** The file to write. */
  readonly file: string;
  /** The URL of the server. */
  readonly url: string;
  /** Headers to add to requests for the path of the server, and for endpoints that its event streams name. They are not written. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The port to listen at. Default 0: any free port. */
  readonly port?: number;
  /** Called with problems of single requests, such as a server that cannot be reached. */
  readonly onProblem?: (problem: string) => void;
}

/** A running recording proxy. */
interface HttpProxy {
  /** The URL for clients, at 127.0.0.1. */
  readonly url: string;
  readonly summary: RecordingSummary;
  /** Ends all connections and the recording. */
  close(): Promise<void>;
}

/** Bytes of the longest request. */
const mostRequestBytes = 64 << 20;

/**
 * Starts a proxy at 127.0.0.1 that passes requests to a server and responses back as they come, and records the messages of each
 * session: Streamable HTTP in all revisions, and HTTP+SSE.
 * @throws WorkbenchError `usage` if the file cannot be written or the port cannot be used
 */
export async function recordHttp(options: HttpProxyOptions): Promise<HttpProxy> {
  const { file, url, headers = {}, port = 0, onProblem = () => {}, ...rest } = options;
  const recording = new RecordingFile(file, rest);
  const sessions = new HttpSessions(recording);
  const upstream = new URL(url);
  let proxy: RecordingProxy | undefined;
  const server = createServer((request, response) => proxy?.handle(request, response));
  // An event stream may be silent for long.
  server.requestTimeout = 0;
  server.maxConnections = 1_000;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((cause: Error) => {
    throw new WorkbenchError('usage', `Port ${port} cannot be used: ${cause.message}.`, { cause });
  });
  const local = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  proxy = new RecordingProxy({ addresses: { upstream, local }, headers, sessions, onProblem });
  return {
    url: local.href,
    get summary() {
      return recording.summary;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await proxy?.idle();
      sessions.endAll();
      recording.close();
    },
  };
}

/** A request to pass on. */
interface Forwarded {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
}

/** Redirects that are followed for one request. */
const mostRedirects = 3;

interface ProxySettings {
  readonly addresses: ProxyAddresses;
  readonly headers: Readonly<Record<string, string>>;
  readonly sessions: HttpSessions;
  readonly onProblem: (problem: string) => void;
}

/** Passes requests on, and records their messages. */
class RecordingProxy {
  readonly #settings: ProxySettings;
  readonly #running = new Set<Promise<void>>();

  constructor(settings: ProxySettings) {
    this.#settings = settings;
  }

  /** Resolves when no request is running. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const running = this.#handle(request, response).catch((error: Error) => {
      this.#settings.onProblem(`${request.method} failed: ${error.message}`);
      response.destroy();
    });
    this.#running.add(running);
    const done = () => this.#running.delete(running);
    follow(running, done, done);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const problem = pageProblem((name) => headerIn(request, name));
    if (problem !== undefined) return refuse(response, { status: 403, text: problem });
    const body = await bodyOf(request, mostRequestBytes);
    if (body === undefined)
      return refuse(response, { status: 413, text: `The request is longer than ${mostRequestBytes} bytes.` });
    const { addresses, onProblem } = this.#settings;
    const text = body.toString();
    const message = request.method === 'POST' && text !== '' ? jsonIn(text, text) : undefined;
    const recorder = this.#recorderOf(request, message);
    if (message !== undefined) recorder?.message('client', message);
    let answered: IncomingMessage;
    try {
      answered = await this.#forward({ request, response, body });
    } catch (error) {
      if (response.destroyed) {
        if (recorder instanceof DeferredRecorder) recorder.accept();
        return;
      }
      const reason = `${addresses.upstream.host} cannot be reached: ${reasonOf(error)}.`;
      onProblem(reason);
      if (recorder !== undefined) this.#settings.sessions.end(recorder, 'server');
      return refuse(response, { status: 502, text: reason, message });
    }
    await this.#answer({ request, response, answered, recorder, message });
  }

  /** Sends a request to the server; follows redirects of requests with a body on the same origin, which would be recorded twice. */
  async #forward({ request, response, body }: Forwarded): Promise<IncomingMessage> {
    const { addresses } = this.#settings;
    const headers = this.#isEndpoint(request) ? this.#settings.headers : {};
    let url = upstreamUrl(request.url ?? '/', addresses);
    for (let redirects = 0; ; redirects++) {
      const answered = await passOn(url, forwardedRequest(request, addresses, { headers, body }), {
        body,
        response,
      });
      const { location } = answered.headers;
      const isMoved = [307, 308].includes(answered.statusCode ?? 0) && location !== undefined;
      if (!isMoved || redirects === mostRedirects || !URL.canParse(location, url.href)) return answered;
      const next = new URL(location, url);
      if (next.origin !== addresses.upstream.origin) return answered;
      answered.resume();
      url = next;
    }
  }

  async #answer(exchange: {
    readonly request: IncomingMessage;
    readonly response: ServerResponse;
    readonly answered: IncomingMessage;
    readonly recorder: ConnectionRecorder | undefined;
    readonly message: unknown;
  }): Promise<void> {
    const { request, response, answered, message, recorder } = exchange;
    const { addresses, sessions, onProblem } = this.#settings;
    const status = answered.statusCode ?? 502;
    const session = answered.headers['mcp-session-id'];
    if (isOpening(message) && recorder !== undefined && status < 400) {
      if (typeof session === 'string') sessions.bind(session, recorder);
      else sessions.bindClient(recorder, message, originOf(request));
    }
    if (recorder instanceof DeferredRecorder && status < 400) recorder.accept();
    if (status >= 400) onProblem(`${request.method} was answered with HTTP ${status}`);
    // The endpoint does not have the transport: the client tries another one.
    const isRefused =
      recorder instanceof DeferredRecorder && !recorder.isAccepted && (status === 404 || status === 405);
    const recorded: Recorded = {
      recorder: isRefused ? undefined : recorder,
      begin: (endpoint) => sessions.bind(endpoint, sessions.begin()),
      end: (stream) => sessions.end(stream, 'server'),
    };
    const tap = new ResponseTap({ answered, recorded, addresses, isPost: request.method === 'POST' });
    response.writeHead(status, forwardedResponse(answered.headers, addresses));
    response.flushHeaders();
    let first: 'client' | 'server' | undefined;
    response.once('close', () => {
      first ??= 'client';
    });
    answered.once('error', () => {
      first ??= 'server';
    });
    try {
      await pipeline(answered, tap, response);
    } catch (error) {
      if (first !== 'client') onProblem(`The server ended a response in the middle: ${reasonOf(error)}.`);
      answered.destroy();
      response.destroy();
    }
    if (recorder instanceof DeferredRecorder) recorder.drop();
    const id = request.headers['mcp-session-id'];
    if (request.method === 'DELETE' && status < 300 && typeof id === 'string')
      sessions.end(sessions.ofSession(id), 'client');
  }

  /** True for the path of the server, and for an endpoint of HTTP+SSE that the server has named. Other paths get no headers of the user. */
  #isEndpoint(request: IncomingMessage): boolean {
    const { addresses, sessions } = this.#settings;
    const { pathname, search } = new URL(request.url ?? '/', addresses.local.origin);
    return pathname === addresses.local.pathname || sessions.find(pathname + search) !== undefined;
  }

  /** Returns the connection of a request; undefined if the request has none, such as one for metadata. */
  #recorderOf(request: IncomingMessage, message: unknown): ConnectionRecorder | undefined {
    const { addresses, sessions } = this.#settings;
    const asked = new URL(request.url ?? '/', addresses.local.origin);
    const id = request.headers['mcp-session-id'];
    if (typeof id === 'string') return sessions.ofSession(id);
    const stream = sessions.find(asked.pathname + asked.search);
    if (stream !== undefined) return stream;
    if (asked.pathname !== addresses.local.pathname) return undefined;
    if (message === undefined)
      return request.method === 'POST' ? undefined : sessions.ofSocket(request.socket);
    return isOpening(message) ? sessions.begin() : sessions.ofClient(message, originOf(request));
  }
}

function originOf({ socket, headers }: IncomingMessage): MessageOrigin {
  return { socket, fingerprint: `${headers['user-agent']} ${headers.authorization}` };
}

function isOpening(message: unknown): boolean {
  const [first] = Array.isArray(message) ? message : [message];
  return isObject(first) && first.method === 'initialize';
}

/** Answers a request that is not passed on, with a JSON-RPC error. */
function refuse(
  response: ServerResponse,
  { status, text, message }: { status: number; text: string; message?: unknown },
): void {
  const id = isObject(message) && message.method !== undefined ? (message.id ?? null) : null;
  const body = JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: text } });
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(body);
}

function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message === '' && code !== undefined ? code : message;
}
