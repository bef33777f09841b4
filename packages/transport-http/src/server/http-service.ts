import { type Clock, detach, withinTime } from '@tenon/foundation';
import type { HttpRefusal, Principal, WorkBounds } from '@tenon/mcp-protocol';
import { type Route, Routing } from '@tenon/mcp-protocol/internal';
import { type Application, unfailing } from './call/application.js';
import { postRefusal } from './call/content-rules.js';
import type { Body, HttpCall } from './call/http-call.js';
import { type HttpBounds, httpBoundsOf, workBounds } from './call/http-limits.js';
import { messageOf } from './call/message-body.js';
import { draining, idOf, internalError, refuse, refuseMessage } from './call/refusal.js';
import { Exchanges, handshakeRules, statelessRules } from './exchange/exchanges.js';
import { answerHandshake } from './exchange/handshake.js';
import { HttpExchange } from './exchange/http-exchange.js';
import type { HttpOptions } from './http-options.js';
import { SessionRouter } from './sessions/session-router.js';
import type { EventStore } from './streams/event-store.js';
import { MemoryEventStore } from './streams/memory-event-store.js';

const insideSession: HttpRefusal = {
  status: 400,
  reason:
    'initialize opens a session: send it without the Mcp-Session-Id header. DELETE ends the session that you have.',
};

/** The MCP endpoint: every revision with HTTP on one URL. */
export class HttpService implements Mount {
  readonly #application: Application;
  readonly #limits: HttpBounds;
  readonly #routing: Routing;
  /** Receives errors that are not reported otherwise. */
  readonly onError: Application['onError'];
  /** Limits of the running requests, shared with all mounts beside this endpoint. */
  readonly bounds: WorkBounds;
  readonly #stateless: Exchanges;
  /** Requests of handshake revisions outside sessions. */
  readonly #sessionless: Exchanges;
  readonly #router: SessionRouter | undefined;
  readonly #notAllowed: HttpRefusal;
  readonly #clock: Clock;
  #hasJoined = false;
  #draining: Promise<void> | undefined;

  /**
   * @param events - the events of streams, for sessions of one process. Default: the most recent ones, in memory.
   * @throws TypeError or RangeError if an option is invalid.
   */
  constructor(application: Application, options: HttpOptions, events?: EventStore) {
    this.#application = application;
    this.#limits = httpBoundsOf(options.limits);
    this.bounds = workBounds(this.#limits);
    this.#routing = new Routing(application.revisions);
    this.onError = unfailing(options.onError ?? application.onError);
    this.#clock = options.clock ?? application.clock;
    const settings = { limits: this.#limits, clock: this.#clock, onError: this.onError };
    this.#stateless = new Exchanges(settings, statelessRules);
    this.#sessionless = new Exchanges(settings, handshakeRules);
    this.#router = this.#routerFor(options, events);
    // `Processes` reports its errors.
    const joined = application.processes?.joined.then(() => {
      this.#hasJoined = true;
    });
    detach(joined, () => {});
    const allow = this.#router?.methods ?? 'POST';
    this.#notAllowed = { status: 405, reason: `Only ${allow} can be served here.`, headers: { allow } };
  }

  /** False while draining and afterwards. */
  get ready(): boolean {
    return this.#draining === undefined;
  }

  /** False while this process cannot reach the state that it shares with others. */
  get hasState(): boolean {
    const { processes } = this.#application;
    return processes === undefined || (this.#hasJoined && processes.state.status === 'ready');
  }

  /** Number of sessions open in this process. */
  get sessions(): number {
    return this.#router?.size ?? 0;
  }

  handle(call: HttpCall, principal: Principal | undefined): void {
    call.unread = this.#limits.unread;
    call.bounds = this.bounds;
    call.principal = principal;
    const router = this.#router;
    if (call.method === 'POST') this.#post(call, principal);
    else if (router === undefined || (call.method !== 'GET' && call.method !== 'DELETE')) {
      refuse(call, this.#notAllowed);
    } else {
      try {
        this.#visit(router, call, principal);
      } catch (error) {
        this.#broken(call, error, undefined);
      }
    }
  }

  drain(): Promise<void> {
    this.#draining ??= this.#drain();
    return this.#draining;
  }

  async #drain(): Promise<void> {
    const left = this.#handOver();
    const all = [this.#stateless, this.#sessionless, this.#router];
    await Promise.all([left, ...all.map((part) => part?.drain())]);
  }

  /** Waits until the application has left its work to other processes, up to the limit. */
  async #handOver(): Promise<void> {
    const left = this.#application.leaving?.();
    if (left !== undefined)
      await withinTime(left, { clock: this.#clock, ms: this.#limits.drain, holds: true });
  }

  #post(call: HttpCall, principal: Principal | undefined): void {
    const refusal = postRefusal(call);
    if (refusal !== undefined) {
      refuse(call, refusal);
      return;
    }
    call.readBody(this.#limits.bodyBytes, (body) => this.#take(call, body, principal));
  }

  #take(call: HttpCall, body: Body, principal: Principal | undefined): void {
    const message = messageOf(body, this.#limits);
    // Only the operator can fix this.
    if ('problem' in body && body.problem.status === 500)
      this.onError(new TypeError(body.problem.reason), 'http');
    if ('status' in message) {
      refuse(call, message, message.about);
      return;
    }
    try {
      this.#route(call, message.value, principal);
    } catch (error) {
      this.#broken(call, error, message.value);
    }
  }

  /** Serves a GET or a DELETE. */
  #visit(router: SessionRouter, call: HttpCall, principal: Principal | undefined): void {
    const problem = this.#routing.versionProblem(call.header('mcp-protocol-version'));
    if (problem !== undefined) refuseMessage(call, problem);
    else if (call.method === 'GET') router.listen(call, principal);
    else router.end(call, principal);
  }

  #broken(call: HttpCall, error: unknown, message: unknown): void {
    this.onError(error, 'http');
    if (!call.closed) refuse(call, internalError, message);
  }

  #route(call: HttpCall, value: unknown, principal: Principal | undefined): void {
    const route = this.#routing.routeOf(value, call.header('mcp-protocol-version'));
    const { kind, error } = route;
    // Sessions reject requests themselves: their running requests may still need messages of the client.
    if (this.#draining !== undefined && (kind !== 'session' || this.#router === undefined)) {
      refuse(call, draining, value);
      return;
    }
    if (error !== undefined) refuseMessage(call, error, value);
    else if (kind === 'stateless')
      this.#answer(new HttpExchange(call, principal, this.#stateless), value, route);
    else if (kind === 'opening' && isInside(call, value)) refuse(call, insideSession, value);
    else if (this.#router === undefined)
      this.#answer(new HttpExchange(call, principal, this.#sessionless), value, route);
    else if (kind === 'opening') this.#router.open(call, value, principal);
    else this.#router.deliver(call, value, principal);
  }

  /** Answers a message outside sessions. */
  #answer(exchange: HttpExchange, value: unknown, { kind, revision }: Route): void {
    const application = this.#application;
    exchange.revision = revision;
    const answer =
      kind === 'opening'
        ? answerHandshake(application, value, exchange)
        : application.answer(value, exchange);
    exchange.answer(answer, value);
  }

  #routerFor({ sessions = {}, clock }: HttpOptions, events?: EventStore): SessionRouter | undefined {
    const application = this.#application;
    if (sessions === false || !this.#routing.handshake) return undefined;
    return new SessionRouter({
      application,
      limits: this.#limits,
      clock: clock ?? application.clock,
      onError: this.onError,
      events:
        events ??
        new MemoryEventStore({
          perSession: this.#limits.sessionEvents,
          characters: this.#limits.eventCharacters,
        }),
      jsonOnly: sessions.jsonOnly === true,
    });
  }
}

/** True if a request to open a session has the id of an open session. */
function isInside(call: HttpCall, value: unknown): boolean {
  return call.header('mcp-session-id') !== undefined && idOf(value) !== undefined;
}

/** Handles calls that the request guard has accepted. */
export interface Mount {
  handle(call: HttpCall, principal: Principal | undefined): void;
  /** Stops accepting calls, and resolves when the running ones have finished. */
  drain(): Promise<void>;
}

/** A mount beside the endpoint, with its own paths. */
export interface SideMount extends Mount {
  readonly paths: readonly string[];
}
