import type {
  ClientCapabilities,
  CreateMessageParams,
  CreateMessageResult,
  ElicitResult,
  Extensions,
  Implementation,
  LogLevel,
  Method,
  MethodParams,
  MethodResult,
  Notice,
  NoticeParams,
  Principal,
  Root,
} from '@tenon/mcp-protocol';
import { detach, negotiated, scopeFlaw } from '@tenon/mcp-protocol/internal';
import type { Asker, AskingHost } from './asking/asker.js';
import { type Asking, obstacle } from './asking/capabilities.js';
import type { InputCall } from './asking/input-requests.js';
import type { Jsonified } from './asking/jsonified.js';
import { type Engine, engine, loadEngine } from './asking/loading.js';
import type { CallPort } from './context-ports.js';
import type { Definition } from './definition.js';
import { callClient, noticeParams } from './features/custom-shapes.js';
import type { Elicited, ElicitForm, ElicitPage } from './features/elicitation.js';
import { sendLog } from './features/logging.js';
import { requireScopes } from './required-scopes.js';
import type { Schema } from './schemas/schema.js';

/** What a handler knows of the request it serves, and what it may do while it runs. */
export class Context {
  readonly #definition: Definition;
  readonly #request: CallPort;
  readonly #host: AskingHost | undefined;

  constructor(definition: Definition, request: CallPort, host?: AskingHost) {
    this.#definition = definition;
    this.#request = request;
    this.#host = host;
  }

  /** Aborts when nobody wants the outcome any more: hand it to everything that takes time. */
  get signal(): AbortSignal {
    return (this.#host ?? this.#request).signal;
  }

  /** Who is calling, where the carrier knows. */
  get auth(): Principal | undefined {
    return this.#request.principal;
  }

  /**
   * Goes on only if the caller has these scopes, for what depends on the arguments: name all that it takes at once, before
   * anything is sent to the client, and let the error pass. Where nobody asks who is calling, as on stdio, it goes on.
   * @throws InsufficientScopeError when one is missing; TypeError for what is no scope.
   */
  requireScopes(...scopes: readonly string[]): void {
    for (const scope of scopes) {
      const flaw = scopeFlaw(scope);
      if (flaw !== undefined) throw new TypeError(`requireScopes: ${JSON.stringify(scope)} ${flaw}.`);
    }
    requireScopes(this.#request, scopes);
  }

  /** What the client says of itself; never verified. */
  get client(): Implementation | undefined {
    return this.#request.from.clientInfo;
  }

  /** What the client declared. */
  get clientCapabilities(): ClientCapabilities {
    return this.#request.from.clientCapabilities;
  }

  /**
   * The client's settings of an extension, if it and this server declared it; undefined where the extension must not
   * be used.
   */
  extension<Id extends keyof Extensions & string>(identifier: Id): Extensions[Id] | undefined {
    const ours = this.#definition.extensions.in(this.#request.revision);
    return negotiated(identifier, ours, this.clientCapabilities.extensions);
  }

  /** The revision in use, for display; never branch on it, ask {@link can}. */
  get revision(): string {
    return this.#request.revision.id;
  }

  /** A value of the request's `_meta`, such as `traceparent`. */
  meta(key: string): unknown {
    return this.#request.meta(key);
  }

  /**
   * Reports progress, if the caller asked for it.
   * @param progress - must grow from call to call.
   */
  progress(progress: number, total?: number, message?: string): void {
    if (this.#host?.over !== true) detach(this.#request.progress(progress, total, message), () => {});
  }

  /**
   * Sends the client a log message, if it wants one of that severity. One of a level that does not exist is only told to
   * `onError`.
   * @deprecated by the newest revision, which keeps it for a year at least: prefer stderr or OpenTelemetry.
   */
  log(level: LogLevel, data: unknown, logger?: string): void {
    if (this.#definition.capabilities.declared.logging === undefined || this.#host?.over === true) return;
    const message = logger === undefined ? { level, data } : { level, data, logger };
    sendLog(this.#definition, this.#request, message);
  }

  /**
   * Sends a notification outside the core protocol that belongs to this call, ahead of its answer. Nothing is sent where the
   * revision in use does not have it.
   * @throws TypeError if the params do not have its shape.
   */
  async notify<N extends Notice>(notice: N, params: NoticeParams<N>): Promise<void> {
    const sound = await noticeParams(this.#definition, notice, params);
    if (this.#host?.over !== true) await this.#request.notify(notice.name as never, sound as never);
  }

  /**
   * Calls a method of the client that is outside the core protocol: in sessions alone, for servers without a session send no
   * requests.
   * @throws SessionError `not-in-revision` without a session, `invalid-answer` if the result does not have the method's shape;
   * RemoteError if the client answers with an error; TypeError if the params do not have the method's shape.
   */
  request<M extends Method>(method: M, params: MethodParams<M>): Promise<MethodResult<M>> {
    return callClient(this.#definition, this.#request, { method, params });
  }

  /**
   * Closes the HTTP connection that this call's events leave on, without ending the call: the client comes back for
   * the rest. Nothing happens on other carriers, and in revisions whose streams cannot be resumed.
   * @param retry - milliseconds the client is told to wait first; the server's own setting by default.
   * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
   */
  releaseStream(retry?: number): void {
    if (this.#host?.over !== true && !this.#request.finished) this.#request.exchange.release?.(retry);
  }

  /** Tells whether the client can answer a question of that kind. */
  can(what: Asking): boolean {
    const found = this.#host === undefined ? obstacle(this.#request, what) : this.#host.obstacle(what);
    return found === undefined;
  }

  /**
   * Asks the user to fill in a form.
   * @param key - names the question; stable, and unique within the handler.
   * @throws MissingCapabilityError when the client has no forms.
   */
  elicit<const S extends Schema>(key: string, form: ElicitForm<S>): Promise<Elicited<S>> {
    return this.#ask(key, ({ elicitForm }, call) => elicitForm(call, key, form));
  }

  /**
   * Sends the user to a page, for what must not pass through the client: credentials, payments.
   * @returns what the user chose to do; that the page was visited is for the server to find out.
   * @throws MissingCapabilityError when the client opens no pages; TypeError for what is no absolute URL.
   */
  elicitUrl(key: string, page: ElicitPage): Promise<ElicitResult['action']> {
    return this.#ask(key, ({ elicitPage }, call) => elicitPage(call, key, page));
  }

  /**
   * Asks the client's model.
   * @deprecated by the newest revision, which keeps it for a year at least.
   * @throws MissingCapabilityError when the client has none; TypeError when tool results do not match tool uses.
   */
  sample(key: string, params: CreateMessageParams): Promise<CreateMessageResult> {
    return this.#ask(key, ({ requestSample }, call) => requestSample(call, key, params));
  }

  /**
   * Asks where the client lets the server work.
   * @deprecated by the newest revision, which keeps it for a year at least.
   * @throws MissingCapabilityError when the client has no roots.
   */
  roots(key: string): Promise<readonly Root[]> {
    return this.#ask(key, ({ requestRoots }, call) => requestRoots(call, key));
  }

  /**
   * Runs a step once, however often the handler runs: in revisions that end a call with questions, code before a
   * question runs again with the answer, and what happened in `once` is remembered.
   * @param key - names the step; stable, and unique within the handler.
   * @param step - its value must be JSON: it comes back as what JSON makes of it, the first time too.
   */
  once<T>(key: string, step: () => T | Promise<T>): Promise<Jsonified<T>> {
    return this.#asker().once(key, step) as Promise<Jsonified<T>>;
  }

  /** Makes an input request, at once if the engine is loaded. */
  #ask<T>(key: unknown, make: (engine: Engine, call: InputCall) => Promise<T>): Promise<T> {
    const asker = this.#asker();
    const call = { definition: this.#definition, request: this.#request, asker };
    const loaded = engine();
    const answer = loaded === undefined ? loadEngine().then((late) => make(late, call)) : make(loaded, call);
    return asker.track(key, answer);
  }

  #asker(): Asker {
    if (this.#host === undefined) {
      throw new TypeError(`${this.#request.method} cannot ask: only tools, resources and prompts can.`);
    }
    return this.#host.asker();
  }
}
