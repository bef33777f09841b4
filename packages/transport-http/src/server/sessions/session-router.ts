import { detach, follow } from '@tenon/foundation';
import { type Answer, ErrorCode, type HttpRefusal, type Principal } from '@tenon/mcp-protocol';
import { failedAnswer, isOverQuota, requestIdOf, standaloneForm } from '@tenon/mcp-protocol/internal';
import { expiryOf, senderOf } from '../admission/sender.js';
import { getRefusal } from '../call/content-rules.js';
import type { HttpCall } from '../call/http-call.js';
import { draining, internalError, noState, refuse } from '../call/refusal.js';
import { handshakeRules } from '../exchange/exchanges.js';
import { type ExchangePolicy, HttpExchange } from '../exchange/http-exchange.js';
import { handOver } from '../streams/hand-over.js';
import type { HttpSession } from './http-session.js';
import type { Serve } from './passing-messages.js';
import { Sessions, type SessionsSettings } from './sessions.js';

const noSession = 'The Mcp-Session-Id header is required; send initialize first to get a session.';
const withoutStreams = 'POST, DELETE';
const noStream: HttpRefusal = {
  status: 405,
  reason: 'This server opens no streams.',
  headers: { allow: withoutStreams },
};
const lostSession: HttpRefusal = {
  status: 404,
  reason: 'There is no such session, or it has ended; send initialize to open another.',
};

const lostRequest: HttpRefusal = {
  status: 400,
  reason: 'The request that this message answers has ended, because its process has.',
};
const overQuota: HttpRefusal = {
  status: 429,
  reason:
    'What this server keeps for you has reached limits.stateBytesPerCaller; end a session with DELETE, or try again when some of it has expired.',
  headers: { 'retry-after': '10' },
  code: ErrorCode.rateLimited,
};

/** Serves the requests of sessions: opening, messages, streams and the end. */
export class SessionRouter {
  readonly #settings: SessionsSettings;
  readonly #sessions: Sessions;
  /** Resolves when requests can be served; undefined from then on. */
  #loading: Promise<void> | undefined;

  constructor(settings: SessionsSettings) {
    this.#settings = settings;
    this.#sessions = new Sessions(settings);
    this.#loading = this.#sessions.load();
    detach(
      this.#loading?.then(() => {
        this.#loading = undefined;
      }),
      (error) => settings.onError(error, 'state'),
    );
  }

  /** Number of sessions open in this process. */
  get size(): number {
    return this.#sessions.size;
  }

  /** Methods that are served, in the format of the `Allow` header. */
  get methods(): string {
    return this.#settings.jsonOnly ? withoutStreams : 'GET, POST, DELETE';
  }

  drain(): Promise<void> {
    return this.#sessions.drain();
  }

  /** Serves a message that opens a session. */
  open(call: HttpCall, value: unknown, principal: Principal | undefined): void {
    if (this.#loading === undefined) this.#open(call, value, principal);
    else
      this.#whenLoaded(call, value, () => {
        if (!call.closed) this.#open(call, value, principal);
      });
  }

  #open(call: HttpCall, value: unknown, principal: Principal | undefined): void {
    const sender = senderOf(call, principal);
    const obstacle = this.#sessions.obstacle(sender);
    if (obstacle !== undefined) {
      refuse(call, full(obstacle), value);
      return;
    }
    const session = this.#sessions.open(sender);
    const exchange = new HttpExchange(call, principal, openingPolicy(session));
    const opened = (frame: string | undefined) =>
      this.#opened({ call, value, session }, () => exchange.finish(frame));
    const answer = this.#handshake(session, exchange, value);
    if (answer instanceof Promise) follow(answer, opened, (error) => this.#broken(call, error, value));
    else opened(answer);
  }

  /** Handles the handshake of a session, and drops the session if the handshake fails for any reason. */
  #handshake(session: HttpSession, exchange: HttpExchange, value: unknown): Answer {
    const failed = (error: unknown) => {
      this.#settings.onError(error, 'http');
      return failedAnswer(value);
    };
    try {
      const answer = session.receiver.receive(value, exchange);
      return answer instanceof Promise ? answer.catch(failed) : answer;
    } catch (error) {
      return failed(error);
    }
  }

  /** Serves a message of a session. */
  deliver(call: HttpCall, value: unknown, principal: Principal | undefined): void {
    const serve = (session: HttpSession) => {
      const forwarded = session.place && this.#forwarded(call, session, visit);
      if (forwarded === undefined) this.#receive(call, session, visit);
      return forwarded;
    };
    const visit = { principal, value, pass: serve };
    this.#inSession(call, visit, serve);
  }

  /** Sends the parts of a message that are for other processes there. @returns undefined if there are none. */
  #forwarded(
    call: HttpCall,
    session: HttpSession,
    { principal, value }: Delivery,
  ): Promise<void> | undefined {
    const { shared } = this.#sessions;
    const parts = shared?.sorted(session, value);
    if (shared === undefined || parts === undefined) return undefined;
    const received = (isReceived: boolean) => {
      if (!isReceived) refuse(call, lostRequest, value);
      else if (parts.here === undefined) call.send(202, {});
      else this.#receive(call, session, { principal, value: parts.here });
    };
    const failed = (error: unknown) => this.#broken(call, error, value);
    return shared.forward(session, parts).then(received).catch(failed);
  }

  #receive(call: HttpCall, session: HttpSession, { principal, value }: Delivery): void {
    const exchange = new HttpExchange(call, principal, session);
    exchange.revision = session.revision;
    if (session.place !== undefined) exchange.message = value;
    const kept = this.#sessions.shared?.answersKept(session, value);
    const answer = session.receiver.receive(value, exchange);
    if (kept === undefined || answer !== undefined) exchange.answer(answer, value);
    else
      follow(
        kept,
        () => exchange.answer(answer, value),
        (error) => this.#broken(call, error, value),
      );
  }

  /** Serves a GET. */
  listen(call: HttpCall, principal: Principal | undefined): void {
    const refusal = this.#settings.jsonOnly ? noStream : getRefusal(call);
    if (refusal !== undefined) {
      refuse(call, refusal);
      return;
    }
    const lastEventId = call.header('last-event-id');
    const until = expiryOf(principal, this.#settings.clock);
    const { retry } = this.#settings.limits;
    const pass = async (session: HttpSession) => handOver(call, session, { lastEventId, retry });
    this.#inSession(call, { principal, pass }, (session) => {
      session.resume(call, { lastEventId, until });
      return undefined;
    });
  }

  /** Serves a DELETE. */
  end(call: HttpCall, principal: Principal | undefined): void {
    const serve = (session: HttpSession) => {
      const ended = this.#sessions.remove(session, 'The client ended the session.');
      const failed = (error: unknown) => this.#broken(call, error, undefined);
      if (this.#sessions.shared === undefined) {
        detach(ended, failed);
        call.send(204, {});
      } else {
        // The session has ended in this process, but others may continue it while the shared state keeps it.
        return ended.then(() => call.send(204, {})).catch(failed);
      }
      return undefined;
    };
    this.#inSession(call, { principal, pass: serve }, serve);
  }

  #opened({ call, value, session }: BegunSession, answer: () => void): void {
    if (session.revision === undefined || this.#sessions.draining) {
      const { draining: late } = this.#sessions;
      this.#sessions.drop(session);
      if (late) refuse(call, draining, value);
      else answer();
      return;
    }
    const keep = () => {
      call.addHeaders({ 'mcp-session-id': session.id });
      answer();
    };
    const stored = this.#sessions.keep(session);
    if (stored === undefined) {
      keep();
      return;
    }
    follow(stored, keep, (error) => this.#broken(call, error, value));
  }

  #inSession(call: HttpCall, visit: Visit, serve: Serve): void {
    if (this.#loading !== undefined) {
      this.#whenLoaded(call, visit.value, () => this.#inSession(call, visit, serve));
      return;
    }
    const { principal, value } = visit;
    const id = call.header('mcp-session-id');
    if (id === undefined) {
      refuse(call, { status: 400, reason: this.#withoutSession(call, visit) }, value);
      return;
    }
    const found = this.#sessions.find(id, principal, call);
    if (found instanceof Promise) {
      const take = (session: HttpSession | undefined) => {
        // A request is not started if its client has disconnected; a notification or an answer is still handled.
        if (call.closed && requestIdOf(value) !== undefined) return;
        if (session === undefined) this.#lost(call, visit);
        else this.#serve(call, session, serve);
      };
      follow(found, take, (error) => this.#broken(call, error, value));
    } else if (found === undefined) this.#lost(call, visit);
    else this.#serve(call, found, serve);
  }

  #serve(call: HttpCall, session: HttpSession, serve: Serve): void {
    const serving = serve(session);
    if (serving !== undefined) detach(serving, (error) => this.#broken(call, error, undefined));
  }

  /** Serves a request once the code that it needs is loaded, or rejects it if that fails. */
  #whenLoaded(call: HttpCall, message: unknown, serve: () => void): void {
    // The failure itself is reported once, and not for each request.
    const loaded = (this.#loading ?? Promise.resolve()).then(
      () => {
        this.#loading = undefined;
        return true;
      },
      () => false,
    );
    const go = (isLoaded: boolean) => (isLoaded ? serve() : refuse(call, internalError, message));
    follow(loaded, go, (error) => this.#broken(call, error, message));
  }

  /** Returns the error text for a request without a session. A client that names no revision can also send the stateless form. */
  #withoutSession(call: HttpCall, { value }: Visit): string {
    const { revisions } = this.#settings.application;
    const isNamed = call.header('mcp-protocol-version') !== undefined;
    const form = isNamed ? undefined : standaloneForm(revisions, value);
    return form === undefined ? noSession : `${noSession} To do without a session, send ${form}.`;
  }

  /**
   * Rejects a message of an unknown session. A process that is closing or full must not report the session as lost,
   * because the shared state may still hold it: it passes on what clients do not repeat.
   */
  #lost(call: HttpCall, { principal, value, pass }: Visit): void {
    const { shared, draining: isDraining } = this.#sessions;
    const sender = senderOf(call, principal);
    const obstacle = shared && this.#sessions.obstacle(sender);
    if (!isDraining && obstacle === undefined) {
      refuse(call, lostSession, value);
      return;
    }
    const refusal = isDraining || obstacle === undefined ? draining : full(obstacle);
    const id = call.header('mcp-session-id');
    if (shared === undefined || id === undefined || hasRequest(value)) {
      refuse(call, refusal, value);
      return;
    }
    const passed = (isKnown: boolean | undefined) => {
      if (isKnown !== true) refuse(call, isKnown === false ? lostSession : refusal, value);
    };
    follow(this.#sessions.pass(id, sender, pass), passed, (error) => this.#broken(call, error, value));
  }

  #broken(call: HttpCall, error: unknown, message: unknown): void {
    const isOfState = isStateError(error);
    this.#settings.onError(error, isOfState ? 'state' : 'http');
    if (call.closed) return;
    const refusal = isOfState ? noState : internalError;
    refuse(call, isOverQuota(error) ? overQuota : refusal, message);
  }
}

/** The message of a POST, and its sender. */
interface Delivery {
  readonly principal: Principal | undefined;
  readonly value?: unknown;
}

/** A request of a session, with its message if it has one. */
interface Visit extends Delivery {
  /** Serves the request at a process that does not keep the session. */
  readonly pass: Serve;
}

/** A session before the end of its handshake. */
interface BegunSession {
  readonly call: HttpCall;
  readonly value: unknown;
  readonly session: HttpSession;
}

/** By its name: servers without shared state do not load the class. */
function isStateError(error: unknown): boolean {
  return error instanceof Error && error.name === 'StateError';
}

function hasRequest(value: unknown): boolean {
  return (Array.isArray(value) ? value : [value]).some((one) => requestIdOf(one) !== undefined);
}

function full(reason: string): HttpRefusal {
  return { status: 503, reason, headers: { 'retry-after': '1' }, code: ErrorCode.overloaded };
}

/** Rules of the handshake exchange: its answer sets the session id of the client, so nothing can be sent before it. */
function openingPolicy(session: HttpSession): ExchangePolicy {
  return {
    answersOnly: true,
    cancelsOnClose: false,
    keepsStreams: false,
    statusOf: handshakeRules.statusOf,
    onError: (error, where) => session.onError(error, where),
    callerOf: () => session.callerOf(),
    openStream: (call, message) => session.openStream(call, message),
    entered() {},
    left() {},
  };
}
