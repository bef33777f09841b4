import { ErrorCode, type Principal } from '@tenon/mcp-protocol';
import { getRefusal } from './content-rules.js';
import { Heartbeat } from './heartbeat.js';
import type { HttpCall } from './http-call.js';
import { internalError, leaving, type Refusal, refuse } from './refusal.js';
import { SessionExchange } from './session-exchange.js';
import { type OpenSession, Sessions, type SessionsSettings } from './sessions.js';

const noSession: Refusal = {
  status: 400,
  reason: 'The Mcp-Session-Id header is required; send initialize first to get a session.',
};
const withoutStreams = 'POST, DELETE';
const noStream: Refusal = {
  status: 405,
  reason: 'This server opens no streams.',
  headers: { allow: withoutStreams },
};
const lostSession: Refusal = {
  status: 404,
  reason: 'There is no such session, or it has ended; send initialize to open another.',
};

/** Serves the requests of sessions: opening, messages, streams and the end. */
export class SessionDesk {
  readonly #settings: SessionsSettings;
  readonly #sessions: Sessions;
  readonly #heartbeat: Heartbeat;

  constructor(settings: SessionsSettings) {
    this.#settings = settings;
    this.#sessions = new Sessions(settings);
    this.#heartbeat = new Heartbeat(settings.clock, settings.limits.keepAlive);
  }

  /** Sessions open here. */
  get size(): number {
    return this.#sessions.size;
  }

  /** Methods that are served, as the `Allow` header names them. */
  get methods(): string {
    return this.#settings.jsonOnly ? withoutStreams : 'GET, POST, DELETE';
  }

  drain(): Promise<void> {
    return this.#sessions.drain();
  }

  /** Serves a message that opens a session. */
  open(call: HttpCall, value: unknown, principal: Principal | undefined): void {
    const obstacle = this.#sessions.obstacle(principal);
    if (obstacle !== undefined) {
      refuse(call, full(obstacle), value);
      return;
    }
    const open = this.#sessions.open(principal);
    // Nothing can go ahead of the answer: it is what tells the client its session.
    const exchange = new SessionExchange(call, open.session, { principal, answersOnly: true });
    const answer = open.receiver.receive(value, exchange);
    if (answer instanceof Promise) {
      void answer.then((frame) => this.#opened({ call, value, open }, () => exchange.finish(frame, true)));
    } else this.#opened({ call, value, open }, () => exchange.finish(answer, true));
  }

  /** Serves a message of a session. */
  deliver(call: HttpCall, value: unknown, principal: Principal | undefined): void {
    const { jsonOnly } = this.#settings;
    this.#inSession(call, { principal, value }, ({ session, receiver }) => {
      const exchange = new SessionExchange(call, session, { principal, answersOnly: jsonOnly });
      const answer = receiver.receive(value, exchange);
      if (!(answer instanceof Promise)) return exchange.finish(answer, false);
      this.#heartbeat.add(exchange);
      void answer.then((frame) => {
        this.#heartbeat.delete(exchange);
        session.usedAt = this.#sessions.now();
        exchange.finish(frame, true);
      });
    });
  }

  /** Serves a GET. */
  listen(call: HttpCall, principal: Principal | undefined): void {
    const refusal = this.#settings.jsonOnly ? noStream : getRefusal(call);
    if (refusal !== undefined) {
      refuse(call, refusal);
      return;
    }
    this.#inSession(call, { principal }, ({ session }) => session.resume(call, call.header('last-event-id')));
  }

  /** Serves a DELETE. */
  end(call: HttpCall, principal: Principal | undefined): void {
    this.#inSession(call, { principal }, (open) => {
      const { store, onError } = this.#settings;
      const ended = this.#sessions
        .remove(open, 'The client ended the session.')
        .catch((error: unknown) => onError(error, 'session store'));
      // Other processes may take it up as long as a store keeps it.
      if (store === undefined) call.send(204, {});
      else void ended.then(() => call.send(204, {}));
    });
  }

  #opened({ call, value, open }: Opening, answer: () => void): void {
    if (open.session.revision === undefined || this.#sessions.leaving) {
      const { leaving: late } = this.#sessions;
      this.#sessions.drop(open);
      if (late) refuse(call, leaving, value);
      else answer();
      return;
    }
    const keep = () => {
      call.addHeaders({ 'mcp-session-id': open.session.id });
      answer();
    };
    const stored = this.#sessions.keep(open);
    if (stored === undefined) {
      keep();
      return;
    }
    stored.then(keep, (error: unknown) => this.#broken(call, error, value));
  }

  #inSession(call: HttpCall, visit: Visit, serve: (open: OpenSession) => void): void {
    const id = call.header('mcp-session-id');
    if (id === undefined) {
      refuse(call, noSession, visit.value);
      return;
    }
    const found = this.#sessions.find(id, visit.principal);
    if (found instanceof Promise) {
      found
        .then((open) => (open === undefined ? this.#lost(call, visit) : serve(open)))
        .catch((error: unknown) => this.#broken(call, error, visit.value));
    } else if (found === undefined) this.#lost(call, visit);
    else serve(found);
  }

  /** A session that a store may still hold is not lost because this process takes up no more of them. */
  #lost(call: HttpCall, { principal, value }: Visit): void {
    const obstacle = this.#settings.store && this.#sessions.obstacle(principal);
    if (this.#sessions.leaving) refuse(call, leaving, value);
    else refuse(call, obstacle === undefined ? lostSession : full(obstacle), value);
  }

  #broken(call: HttpCall, error: unknown, message: unknown): void {
    this.#settings.onError(error, 'session store');
    if (!call.closed) refuse(call, internalError, message);
  }
}

/** Who asks for a session, and with what, if it is a message. */
interface Visit {
  readonly principal: Principal | undefined;
  readonly value?: unknown;
}

/** A session that may come to be. */
interface Opening {
  readonly call: HttpCall;
  readonly value: unknown;
  readonly open: OpenSession;
}

function full(reason: string): Refusal {
  return { status: 503, reason, headers: { 'retry-after': '1' }, code: ErrorCode.overloaded };
}
