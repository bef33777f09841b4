import { detach, follow } from '@tenon/foundation';
import {
  ErrorCode,
  type HttpRefusal,
  type Principal,
  type Receiver,
  type WorkBounds,
} from '@tenon/mcp-protocol';
import { callerName, failedAnswer, isObject } from '@tenon/mcp-protocol/internal';
import { type Processes, StateError } from '@tenon/mcp-state';
import { isProcessId, ProcessGoneError } from '@tenon/mcp-state/internal';
import type { Application, HttpCall, SideMount } from '@tenon/mcp-transport-http/server';
import {
  getRefusal,
  type HttpBounds,
  httpBoundsOf,
  internalError,
  messageOf,
  postRefusal,
  refuse,
  unfailing,
  workBounds,
} from '@tenon/mcp-transport-http/server/internal';
import type { SseOptions } from './server/sse-options.js';
import type { MessageSender, SseSession } from './server/sse-session.js';
import { SseSessions } from './server/sse-sessions.js';

export type { SseLimits, SseOptions } from './server/sse-options.js';

const noSession: HttpRefusal = {
  status: 400,
  reason: 'The query parameter sessionId is required; post to the URI that the endpoint event names.',
};
const lostSession: HttpRefusal = {
  status: 404,
  reason: 'There is no such session, or its event stream has ended; open the event stream to begin another.',
};
const leaving: HttpRefusal = {
  status: 503,
  reason: 'This server is closing and opens no further event streams.',
  headers: { 'retry-after': '5', connection: 'close' },
  code: ErrorCode.shuttingDown,
};
const noState: HttpRefusal = {
  status: 503,
  reason: 'This server cannot reach its other processes; try again later.',
  headers: { 'retry-after': '2' },
  code: ErrorCode.overloaded,
};
const accepted = { 'content-type': 'text/plain; charset=utf-8' };

/**
 * The two endpoints of the HTTP+SSE transport: an event stream for messages of the server, and one for POSTs of the client.
 * https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
export class SseMount implements SideMount {
  readonly paths: readonly string[];
  /** Called with errors of this mount. Does not throw. */
  readonly onError: Application['onError'];
  readonly #streamPath: string;
  readonly #limits: HttpBounds;
  readonly #bounds: WorkBounds;
  /** True if it has limits of its own instead of those of the server it is mounted at. */
  readonly #isBounded: boolean;
  readonly #sessions: SseSessions;
  readonly #processes: Processes | undefined;
  readonly #leaveProcesses: (() => void) | undefined;
  /** True when other processes can reach this one: they receive the messages of its clients. */
  #canBeReached: boolean;
  #draining: Promise<void> | undefined;

  /** @throws TypeError or RangeError for invalid options. */
  constructor(application: Application, options: SseOptions = {}) {
    const { path = '/sse', messagesPath = '/messages', clock = application.clock } = options;
    requirePath('path', path);
    requirePath('messagesPath', messagesPath);
    if (path === messagesPath) throw new TypeError('path and messagesPath must differ.');
    if (!application.revisions.some((one) => one.lifecycle === 'handshake')) {
      throw new TypeError('HTTP+SSE needs a revision with a handshake, and this server speaks none.');
    }
    this.paths = [path, ...endingsOf(messagesPath).filter((ending) => ending !== path)];
    this.#streamPath = path;
    this.#limits = httpBoundsOf(options.limits);
    this.#bounds = workBounds(this.#limits);
    const { exchanges, exchangesPerPrincipal } = options.limits ?? {};
    this.#isBounded = exchanges !== undefined || exchangesPerPrincipal !== undefined;
    this.onError = unfailing(options.onError ?? application.onError);
    const { onError } = this;
    this.#sessions = new SseSessions({ application, messagesPath, limits: this.#limits, clock, onError });
    this.#processes = application.processes;
    this.#leaveProcesses = this.#processes?.handle('sse/message', (body) => this.#forwarded(body));
    this.#canBeReached = this.#processes === undefined;
    // `Processes` reports its errors.
    const joined = this.#processes?.joined.then(() => {
      this.#canBeReached = true;
    });
    detach(joined, () => {});
  }

  /** False when it drains. */
  get ready(): boolean {
    return this.#draining === undefined;
  }

  /** The number of open sessions. */
  get sessions(): number {
    return this.#sessions.size;
  }

  handle(call: HttpCall, principal: Principal | undefined): void {
    call.unread = this.#limits.unread;
    call.principal = principal;
    if (this.#isBounded || call.bounds === undefined) call.bounds = this.#bounds;
    const [path = '', query = ''] = call.url.split('?', 2);
    if (path === this.#streamPath) this.#listen(call, principal);
    else if (this.paths.includes(path)) this.#post(call, query, principal);
    else refuse(call, { status: 404, reason: `Nothing is served here; see ${this.#streamPath}.` });
  }

  drain(): Promise<void> {
    this.#draining ??= this.#sessions.drain().finally(() => this.#leaveProcesses?.());
    return this.#draining;
  }

  #listen(call: HttpCall, principal: Principal | undefined): void {
    const refusal = this.#listenRefusal(call, principal);
    if (refusal !== undefined) {
      refuse(call, refusal);
      return;
    }
    const unjoined = this.#canBeReached ? undefined : this.#processes;
    if (unjoined === undefined) {
      this.#guard(call, () => this.#sessions.open(call, principal));
      return;
    }
    const failed = (error: unknown) => {
      this.onError(error, 'state');
      refuse(call, noState);
    };
    follow(
      unjoined.waitUntilJoined(),
      () => (call.closed ? undefined : this.#listen(call, principal)),
      failed,
    );
  }

  #listenRefusal(call: HttpCall, principal: Principal | undefined): HttpRefusal | undefined {
    if (call.method !== 'GET') return only('GET');
    if (!this.ready) return leaving;
    const obstacle = this.#sessions.obstacle(callerName(principal, call.remoteAddress));
    return obstacle === undefined ? getRefusal(call) : overloaded(obstacle);
  }

  #post(call: HttpCall, query: string, principal: Principal | undefined): void {
    const refusal = messageRefusal(call);
    const id = new URLSearchParams(query).get('sessionId');
    const session = id === null ? undefined : this.#sessions.find(id, principal);
    const process = id === null || session !== undefined ? undefined : this.#processOf(id);
    const { remoteAddress } = call;
    if (refusal !== undefined) refuse(call, refusal);
    else if (id === null) refuse(call, noSession);
    else if (session !== undefined)
      this.#read(call, (message) => this.#deliver(call, message, { session, principal, remoteAddress }));
    else if (process !== undefined)
      this.#read(call, (message) =>
        this.#forward(call, process, { session: id, message, principal, remoteAddress }),
      );
    else refuse(call, lostSession);
  }

  /** Reads the message of a POST. */
  #read(call: HttpCall, take: (message: unknown) => void): void {
    call.readBody(this.#limits.bodyBytes, (body) => {
      const message = messageOf(body, this.#limits);
      // Only the operator can fix it.
      if ('problem' in body && body.problem.status === 500)
        this.onError(new TypeError(body.problem.reason), 'sse');
      if ('status' in message) refuse(call, message, message.about);
      else take(message.value);
    });
  }

  #deliver(call: HttpCall, message: unknown, posted: Posted): void {
    const { receiver } = posted.session;
    if (receiver === undefined) refuse(call, lostSession);
    else {
      call.send(202, accepted, 'Accepted');
      this.#hand(receiver, posted, message);
    }
  }

  /** Returns the other process that has the event stream of a session. */
  #processOf(id: string): string | undefined {
    const process = id.slice(0, Math.max(0, id.indexOf('.')));
    return isProcessId(process) && process !== this.#processes?.id ? process : undefined;
  }

  /** Has a message handled by the process with the event stream of its session. */
  #forward(call: HttpCall, process: string, message: ForwardedMessage): void {
    const forwarded = this.#processes?.request(process, 'sse/message', message) ?? Promise.resolve(false);
    const received = (isReceived: unknown) => {
      if (isReceived === true) call.send(202, accepted, 'Accepted');
      else refuse(call, lostSession);
    };
    follow(forwarded, received, (error) => {
      if (error instanceof ProcessGoneError) return refuse(call, lostSession);
      this.onError(error, 'state');
      refuse(call, error instanceof StateError ? noState : internalError);
    });
  }

  /** Handles a message that another process has received. Returns true if its session is here. */
  #forwarded(body: unknown): true | undefined {
    if (!isForwarded(body)) return undefined;
    const { principal, remoteAddress } = body;
    const session = this.#sessions.find(body.session, principal);
    if (session?.receiver === undefined) return undefined;
    this.#hand(session.receiver, { session, principal, remoteAddress }, body.message);
    return true;
  }

  /** Has a message answered. A failing receiver ends neither the session nor the process. */
  #hand(receiver: Receiver, { session, ...sender }: Posted, message: unknown): void {
    const send = (frame: string | undefined) => {
      if (frame !== undefined) detach(session.send(frame), (error) => this.onError(error, 'sse'));
    };
    const failed = (error: unknown) => {
      this.onError(error, 'sse');
      send(failedAnswer(message));
    };
    try {
      const answer = receiver.receive(message, this.#sessions.exchange(session, sender));
      if (answer instanceof Promise) follow(answer, send, failed);
      else send(answer);
    } catch (error) {
      failed(error);
    }
  }

  #guard(call: HttpCall, serve: () => void): void {
    try {
      serve();
    } catch (error) {
      this.onError(error, 'sse');
      if (call.streaming) call.end();
      else if (!call.closed) refuse(call, internalError);
    }
  }
}

/** The session and sender of a message. */
interface Posted extends MessageSender {
  readonly session: SseSession;
}

/** A message that one process has received for another. */
interface ForwardedMessage extends MessageSender {
  /** The id of the session. */
  readonly session: string;
  readonly message: unknown;
}

function isForwarded(body: unknown): body is ForwardedMessage {
  if (!isObject(body) || typeof body.session !== 'string') return false;
  const { principal, remoteAddress } = body;
  return (
    (principal === undefined || isPrincipal(principal)) &&
    (remoteAddress === undefined || typeof remoteAddress === 'string')
  );
}

function isPrincipal(value: unknown): value is Principal {
  if (!isObject(value)) return false;
  const { id, issuer, expiresAt, scopes } = value;
  return (
    typeof id === 'string' &&
    (issuer === undefined || typeof issuer === 'string') &&
    (expiresAt === undefined || Number.isFinite(expiresAt)) &&
    (scopes === undefined || (Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string')))
  );
}

/** Returns the refusal of a message with wrong headers. `Accept` is ignored: the response has no message. */
function messageRefusal(call: HttpCall): HttpRefusal | undefined {
  if (call.method !== 'POST') return only('POST');
  const refusal = postRefusal(call);
  return refusal?.status === 406 ? undefined : refusal;
}

function only(allow: string): HttpRefusal {
  return { status: 405, reason: `Only ${allow} can be served here.`, headers: { allow } };
}

function overloaded(reason: string): HttpRefusal {
  return { status: 503, reason, headers: { 'retry-after': '1' }, code: ErrorCode.overloaded };
}

function requirePath(name: string, path: string): void {
  if (/^\/[\x21\x24-\x3e\x40-\x7e]*$/.test(path)) return;
  throw new TypeError(
    `${name} must be a path such as "/sse", without a query and with other characters percent-encoded, not ${JSON.stringify(path)}.`,
  );
}

/** Returns a path, and what is left of it when a proxy has stripped a prefix. */
function endingsOf(path: string): readonly string[] {
  const segments = path.slice(1).split('/');
  return segments.map((_, index) => `/${segments.slice(index).join('/')}`);
}
