import {
  ErrorCode,
  type HttpRefusal,
  type Principal,
  type Receiver,
  type WorkBounds,
} from '@tenon/mcp-protocol';
import { detach, failedAnswer, follow } from '@tenon/mcp-protocol/internal';
import type { Application, Body, HttpCall, HttpLimits, SideMount } from '@tenon/mcp-transport-http/server';
import {
  callerOf,
  getRefusal,
  httpLimits,
  internalError,
  messageOf,
  postRefusal,
  refuse,
  unfailing,
  workBounds,
} from '@tenon/mcp-transport-http/server/internal';
import type { SseOptions } from './sse-options.js';
import type { SseSession } from './sse-session.js';
import { SseSessions } from './sse-sessions.js';

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
const accepted = { 'content-type': 'text/plain; charset=utf-8' };

/**
 * The two endpoints of the HTTP+SSE transport: an event stream for what the server says, and one that clients post to.
 * https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
export class SseMount implements SideMount {
  readonly paths: readonly string[];
  /** Hears of what goes wrong here. Does not throw. */
  readonly onError: Application['onError'];
  readonly #streamPath: string;
  readonly #limits: HttpLimits;
  readonly #bounds: WorkBounds;
  /** Its own bounds hold, and not those of the server it is mounted at. */
  readonly #isBounded: boolean;
  readonly #sessions: SseSessions;
  #draining: Promise<void> | undefined;

  /** @throws TypeError or RangeError for options that cannot work. */
  constructor(application: Application, options: SseOptions = {}) {
    const { path = '/sse', messagesPath = '/messages', clock = application.clock } = options;
    requirePath('path', path);
    requirePath('messagesPath', messagesPath);
    if (path === messagesPath) throw new TypeError('path and messagesPath must differ.');
    if (!application.revisions.some((one) => one.lifecycle === 'handshake')) {
      throw new TypeError('HTTP+SSE needs a revision with a handshake, and this server speaks none.');
    }
    this.paths = [path, messagesPath];
    this.#streamPath = path;
    this.#limits = httpLimits(options.limits);
    this.#bounds = workBounds(this.#limits);
    const { exchanges, exchangesPerPrincipal } = options.limits ?? {};
    this.#isBounded = exchanges !== undefined || exchangesPerPrincipal !== undefined;
    this.onError = unfailing(options.onError ?? application.onError);
    const { onError } = this;
    this.#sessions = new SseSessions({ application, messagesPath, limits: this.#limits, clock, onError });
  }

  /** False once it drains. */
  get ready(): boolean {
    return this.#draining === undefined;
  }

  /** Sessions open here. */
  get sessions(): number {
    return this.#sessions.size;
  }

  handle(call: HttpCall, principal: Principal | undefined): void {
    call.unread = this.#limits.unread;
    if (this.#isBounded || call.bounds === undefined) call.bounds = this.#bounds;
    const [path = '', query = ''] = call.url.split('?', 2);
    if (path === this.#streamPath) this.#listen(call, principal);
    else if (path === this.paths[1]) this.#post(call, query, principal);
    else refuse(call, { status: 404, reason: `Nothing is served here; see ${this.#streamPath}.` });
  }

  drain(): Promise<void> {
    this.#draining ??= this.#sessions.drain();
    return this.#draining;
  }

  #listen(call: HttpCall, principal: Principal | undefined): void {
    const refusal = this.#listenRefusal(call, principal);
    if (refusal !== undefined) {
      refuse(call, refusal);
      return;
    }
    this.#guard(call, () => this.#sessions.open(call, principal));
  }

  #listenRefusal(call: HttpCall, principal: Principal | undefined): HttpRefusal | undefined {
    if (call.method !== 'GET') return only('GET');
    if (!this.ready) return leaving;
    const obstacle = this.#sessions.obstacle(callerOf(principal, call.remoteAddress));
    return obstacle === undefined ? getRefusal(call) : overloaded(obstacle);
  }

  #post(call: HttpCall, query: string, principal: Principal | undefined): void {
    const refusal = messageRefusal(call);
    const id = new URLSearchParams(query).get('sessionId');
    const session = id === null ? undefined : this.#sessions.find(id, principal);
    if (refusal !== undefined) refuse(call, refusal);
    else if (id === null) refuse(call, noSession);
    else if (session === undefined) refuse(call, lostSession);
    else call.readBody(this.#limits.bodyBytes, (body) => this.#deliver(call, body, { session, principal }));
  }

  #deliver(call: HttpCall, body: Body, { session, principal }: Posted): void {
    const message = messageOf(body, this.#limits);
    const { receiver } = session;
    // Only the operator can mend it.
    if ('flaw' in body && body.flaw.status === 500) this.onError(new TypeError(body.flaw.reason), 'sse');
    if ('status' in message) refuse(call, message, message.about);
    else if (receiver === undefined) refuse(call, lostSession);
    else {
      call.send(202, accepted, 'Accepted');
      this.#hand(receiver, { call, session, principal }, message.value);
    }
  }

  /** Has a message answered. That a receiver fails ends neither the session nor the process. */
  #hand(
    receiver: Receiver,
    { call, session, principal }: Posted & { call: HttpCall },
    message: unknown,
  ): void {
    const send = (frame: string | undefined) => {
      if (frame !== undefined) detach(session.send(frame), (error) => this.onError(error, 'sse'));
    };
    const failed = (error: unknown) => {
      this.onError(error, 'sse');
      send(failedAnswer(message));
    };
    try {
      const answer = receiver.receive(message, this.#sessions.exchange(call, session, principal));
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

/** Where a message goes, and who sends it. */
interface Posted {
  readonly session: SseSession;
  readonly principal: Principal | undefined;
}

/** What is wrong with how a message is sent. What the client accepts in return is not asked: it gets no message back. */
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
