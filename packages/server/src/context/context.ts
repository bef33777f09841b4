import { detach } from '@tenon/foundation';
import type {
  Base64Input,
  ClientCapabilities,
  CreateMessageParams,
  CreateMessageResult,
  CustomNotification,
  CustomNotificationParams,
  Extensions,
  Implementation,
  LogLevel,
  Method,
  MethodParams,
  MethodResult,
  Principal,
  Root,
  TransportFacts,
} from '@tenon/mcp-protocol';
import { negotiated, scopeProblem, withBase64 } from '@tenon/mcp-protocol/internal';
import type { Deadlines } from '@tenon/mcp-session';
import type { Rates } from '../budget/rates.js';
import { type CallPort, requireScopes } from '../core/call-port.js';
import type { Capabilities, ServerExtensions } from '../core/capabilities.js';
import type { ServerGuard } from '../core/server-guard.js';
import type { Elicited, ElicitedPage, ElicitForm, ElicitPage } from '../input/elicitation.js';
import type { InputCall } from '../input/input-requests.js';
import { type InputType, obstacle } from '../run/capabilities.js';
import type { Jsonified } from '../run/once-steps.js';
import type { Run, RunOptions } from '../run/run.js';
import type { Schema } from '../schemas/schema.js';
import type { Validator } from '../schemas/validator.js';
import type { CustomShapes } from './custom-shapes.js';
import { type LogSettings, sendLog } from './logging.js';

/** The parts of a server that a handler reaches through its context. */
export interface ContextParts extends LogSettings {
  readonly capabilities: Capabilities;
  /** Undefined for a server without extensions. */
  readonly extensions: ServerExtensions | undefined;
  /** The methods and notifications outside the core. */
  readonly shapes: CustomShapes;
  /** Validates plain schemas; undefined for the default. */
  readonly validator: Validator | undefined;
}

/** The parts of a server that its handlers run with. */
export interface HandlerParts {
  readonly context: ContextParts;
  readonly runs: RunOptions;
  readonly rates: Rates;
  readonly deadlines: Deadlines;
  readonly serverGuard: ServerGuard;
}

/** The code of input requests, in a separate file: servers that make none never load it. */
type InputRequests = typeof import('../input/input-requests.js');

let inputs: InputRequests | undefined;

async function loadInputs(): Promise<InputRequests> {
  inputs ??= await import('../input/input-requests.js');
  return inputs;
}

/** Returns what the transport knows about the caller of a context; undefined for any other object. */
export let factsOf: (ctx: object) => TransportFacts | undefined;

/**
 * The request that a handler serves, and what the handler may do while it runs. `State` names the values that middleware sets.
 */
export class Context<State extends object = object> {
  readonly #parts: ContextParts;
  readonly #request: CallPort;
  readonly #run: Run | undefined;

  static {
    factsOf = (ctx) => (#request in ctx ? ctx.#request.exchange.facts : undefined);
  }

  /** @internal */
  constructor(parts: ContextParts, request: CallPort, run?: Run) {
    this.#parts = parts;
    this.#request = request;
    this.#run = run;
  }

  /** Aborts when the result is no longer needed: pass it to all functions that take time. */
  get signal(): AbortSignal {
    return (this.#run ?? this.#request).signal;
  }

  /** The authenticated caller, if the transport knows it. */
  get auth(): Principal | undefined {
    return this.#request.principal;
  }

  /**
   * Values that middleware set in `call.state` for this request; a value that none of them set is undefined. In 2026-07-28 middleware
   * runs again, with an empty state, whenever the handler runs again with answers. A handler that is detached from its request
   * keeps the state: middleware may have released what it holds by then.
   */
  get state(): Readonly<State> {
    return this.#request.state as Readonly<State>;
  }

  /**
   * Checks that the caller has these scopes, for scopes that depend on the arguments: name all of them in one call, before
   * anything is sent to the client, and do not catch the error. Without authentication, as on stdio, it returns.
   * @throws InsufficientScopeError if one is missing; TypeError if a scope is malformed.
   */
  requireScopes(...scopes: readonly string[]): void {
    for (const scope of scopes) {
      const problem = scopeProblem(scope);
      if (problem !== undefined) throw new TypeError(`requireScopes: ${JSON.stringify(scope)} ${problem}.`);
    }
    requireScopes(this.#request, scopes);
  }

  /** The client info; never verified. */
  get client(): Implementation | undefined {
    return this.#request.from.clientInfo;
  }

  /** The capabilities of the client. */
  get clientCapabilities(): ClientCapabilities {
    return this.#request.from.clientCapabilities;
  }

  /**
   * The client's settings of an extension, if the client and this server declared it; undefined if the extension must not
   * be used.
   */
  extension<Id extends keyof Extensions & string>(identifier: Id): Extensions[Id] | undefined {
    const ours = this.#parts.extensions?.in(this.#request.revision);
    return negotiated(identifier, ours, this.clientCapabilities.extensions);
  }

  /** The revision in use, for display; do not branch on it, use {@link can}. */
  get revision(): string {
    return this.#request.revision.id;
  }

  /** A value of the request's `_meta`, such as `traceparent`. */
  meta(key: string): unknown {
    return this.#request.meta(key);
  }

  /**
   * Reports progress, if the caller requested it.
   * @param progress - must grow from call to call.
   */
  progress(progress: number, total?: number, message?: string): void {
    if (this.#run?.over !== true) detach(this.#request.progress(progress, total, message), () => {});
  }

  /**
   * Sends the client a log message, if its log level includes that severity. An unknown level is only reported to
   * `onError`.
   * @deprecated by the newest revision, which keeps it for a year at least: prefer stderr or OpenTelemetry.
   */
  log(level: LogLevel, data: unknown, logger?: string): void {
    if (this.#parts.capabilities.declared.logging === undefined || this.#run?.over === true) return;
    const message = logger === undefined ? { level, data } : { level, data, logger };
    sendLog(this.#parts, this.#request, message);
  }

  /**
   * Sends a notification outside the core protocol that belongs to this call, before its response. Nothing is sent if the
   * revision in use does not have the notification.
   * @throws TypeError if the params do not match its shape.
   */
  async notify<N extends CustomNotification>(
    notification: N,
    params: CustomNotificationParams<N>,
  ): Promise<void> {
    const sound = await this.#parts.shapes.notificationParams(notification, params);
    if (this.#run?.over !== true) await this.#request.notify(notification.name as never, sound as never);
  }

  /**
   * Calls a method of the client that is outside the core protocol: only in sessions, because servers without a session send no
   * requests.
   * @throws SessionError `not-in-revision` without a session, `invalid-answer` if the result does not have the method's shape;
   * RemoteError if the client answers with an error; TypeError if the params do not have the method's shape.
   */
  request<M extends Method>(method: M, params: MethodParams<M>): Promise<MethodResult<M>> {
    return this.#parts.shapes.call(this.#request, method, params);
  }

  /**
   * Closes the HTTP connection that carries this call's events, without ending the call: the client reconnects for
   * the rest. It has no effect on other transports, and in revisions without resumable streams.
   * @param retry - milliseconds that the client shall wait before it reconnects. Default: the server's setting.
   * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
   */
  releaseStream(retry?: number): void {
    if (this.#run?.over !== true && !this.#request.finished) this.#request.exchange.release?.(retry);
  }

  /** True if the client can answer input requests of that type. */
  can(what: InputType): boolean {
    const found = this.#run === undefined ? obstacle(this.#request, what) : this.#run.obstacle(what);
    return found === undefined;
  }

  /**
   * Requests the user to fill in a form (elicitation).
   * @param key - the name of the input request; stable, and unique within the handler.
   * @throws MissingCapabilityError if the client does not support forms.
   */
  elicit<const S extends Schema>(key: string, form: ElicitForm<S>): Promise<Elicited<S>> {
    return this.#requestInput(key, ({ elicitForm }, call) => elicitForm(call, key, form));
  }

  /**
   * Sends the user to a page (elicitation by URL), for data that must not pass through the client: credentials, payments.
   * @returns the user's choice, in the shape of {@link elicit}; the server has to find out if the page was visited.
   * @throws MissingCapabilityError if the client does not support elicitation by URL; TypeError if the URL is not absolute.
   */
  elicitUrl(key: string, page: ElicitPage): Promise<ElicitedPage> {
    return this.#requestInput(key, async ({ elicitPage }, call) => ({
      action: await elicitPage(call, key, page),
    }));
  }

  /**
   * Requests a completion of the client's model (sampling).
   * @deprecated by the newest revision, which keeps it for a year at least.
   * @throws MissingCapabilityError if the client does not support sampling; TypeError if tool results do not match tool uses.
   */
  sample(key: string, params: CreateMessageParams<Base64Input>): Promise<CreateMessageResult> {
    return this.#requestInput(key, ({ requestSample }, call) => {
      const sent = withBase64(params) as CreateMessageParams | Promise<CreateMessageParams>;
      return sent instanceof Promise
        ? sent.then((read) => requestSample(call, key, read))
        : requestSample(call, key, sent);
    });
  }

  /**
   * Requests the client's roots.
   * @deprecated by the newest revision, which keeps it for a year at least.
   * @throws MissingCapabilityError if the client does not support roots.
   */
  roots(key: string): Promise<readonly Root[]> {
    return this.#requestInput(key, ({ requestRoots }, call) => requestRoots(call, key));
  }

  /**
   * Runs a step once, however often the handler runs: in revisions that end a call with input requests, code before an
   * input request runs again with the answer, and the result of `once` is remembered.
   * @param key - the name of the step; stable, and unique within the handler.
   * @param step - returns a JSON value. Every run receives the value as JSON preserves it, the first run too.
   */
  once<T>(key: string, step: () => T | Promise<T>): Promise<Jsonified<T>> {
    return this.#asking().once(key, step) as Promise<Jsonified<T>>;
  }

  /** Makes an input request, at once if its code is loaded. */
  #requestInput<T>(key: unknown, make: (requests: InputRequests, call: InputCall) => Promise<T>): Promise<T> {
    const run = this.#asking();
    const call = { settings: this.#parts, request: this.#request, run };
    const answer = inputs === undefined ? loadInputs().then((late) => make(late, call)) : make(inputs, call);
    return run.track(key, answer);
  }

  #asking(): Run {
    if (this.#run === undefined) {
      throw new TypeError(`${this.#request.method} cannot ask: only tools, resources and prompts can.`);
    }
    return this.#run;
  }
}

/** Returns the values that match the typed text, best first. */
export type Completer<State extends object = object> = (
  typed: string,
  ctx: CompletionContext<State>,
) => CompletionReturn | Promise<CompletionReturn>;

/** Values, or values with the total number of matches. */
export type CompletionReturn =
  | readonly string[]
  | { readonly values: readonly string[]; readonly total?: number };

/** Completers by the names of arguments or variables. */
export type Completers<Names extends string = string, State extends object = object> = string extends Names
  ? { readonly [argument: string]: Completer<State> }
  : [Names] extends [never]
    ? { readonly [argument: string]: 'there is nothing of this name to complete' }
    : { readonly [Name in Names]?: Completer<State> };

/** The context of a completion, besides the typed text. */
export interface CompletionContext<State extends object = object> extends Context<State> {
  /** The arguments that were already chosen. */
  readonly chosen: Readonly<Record<string, string>>;
}
