import {
  ErrorCode,
  type HandledParams,
  type HandledResult,
  type Method,
  RpcError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { IncomingRequest, RequestHandler } from '@tenon/mcp-session';
import { admitted } from '../budget/rates.js';
import type { HandlerParts } from '../context/context.js';
import { MethodHandlerContext } from '../context/method-handler-context.js';
import { requireScopes } from '../core/call-port.js';
import { checkRegistration, handlerInstead } from '../registration/check.js';
import type { Members } from '../registration/members.js';
import { anything, type RulesFor, scopes } from '../registration/rules.js';
import { typeProblem } from '../results/content-problem.js';
import { runHandler } from '../run/live-run.js';
import { whenSettled } from '../run/run.js';
import { type CompiledSchema, describeIssues, type Outcome } from '../schemas/schema.js';

/** Handles a method outside the core protocol. */
export type MethodHandler<M extends Method = Method, State extends object = object> = (
  params: HandledParams<M>,
  ctx: MethodHandlerContext<State>,
) => HandledResult<M> | Promise<HandledResult<M>>;

/** Options of a method's handler. All are optional. */
export interface MethodOptions {
  /** OAuth scopes that a call needs. Default: none. */
  readonly scopes?: readonly string[];
  /** Milliseconds for which the handler may run. Default: the server's limit `handlerTime`. */
  readonly timeout?: number;
}

/** The options of adding a method. */
export interface Served {
  readonly handler: MethodHandler;
  readonly options?: MethodOptions | undefined;
  /** Throws if the request must be rejected, before its params are validated. */
  readonly admit?: ((request: IncomingRequest) => void) | undefined;
}

const members: Members = {
  rules: { scopes, timeout: anything } satisfies RulesFor<MethodOptions>,
  instead: {
    ...handlerInstead,
    params: 'define it with defineMethod',
    result: 'define it with defineMethod',
  },
};

/**
 * Adds a method outside the core protocol to the revisions of the server.
 * @returns the function that handles its requests.
 * @throws TypeError or RangeError if the method, an option or a shape cannot work.
 */
export function customMethod(
  handlers: HandlerParts,
  method: Method,
  { handler, options = {}, admit }: Served,
): RequestHandler {
  if (!isObject(method) || method.kind !== 'method')
    throw new TypeError(
      'handle() takes a method first: handle(defineMethod("acme/search", { ... }), handler).',
    );
  const { name } = method;
  const owner = `Method "${name}"`;
  checkRegistration(
    { owner, call: 'handle(method, handler, options)', options, handler, takes: '(params, ctx)' },
    members,
  );
  const { timeout } = options;
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0))
    throw new RangeError(`${owner}: timeout must be a positive number of milliseconds, not ${timeout}.`);
  handlers.serverGuard.add(`method "${name}"`, options.scopes);
  const served = new CustomMethod(handlers, method, { handler, options, admit });
  if (timeout !== undefined) handlers.deadlines.expect(timeout);
  return served;
}

/** A method outside the core protocol, and its handler. */
class CustomMethod implements RequestHandler {
  readonly #handlers: HandlerParts;
  readonly #name: string;
  readonly #hasRounds: boolean;
  readonly #handler: MethodHandler;
  readonly #options: MethodOptions;
  readonly #admitCaller: Served['admit'];
  readonly #params: CompiledSchema | undefined;
  readonly #result: CompiledSchema | undefined;

  constructor(
    handlers: HandlerParts,
    method: Method,
    { handler, options, admit }: Served & { readonly options: MethodOptions },
  ) {
    this.#handlers = handlers;
    this.#name = method.name;
    this.#hasRounds = method.requestsInput === true;
    this.#handler = handler;
    this.#options = options;
    this.#admitCaller = admit;
    const { params, result } = handlers.context.shapes.add(method, 'client');
    this.#params = params;
    this.#result = result;
  }

  /** @param isAdmitted - true if the call is counted already. */
  handle(request: IncomingRequest, isAdmitted = false): UnknownObject | Promise<UnknownObject> {
    const admission = isAdmitted ? undefined : this.#handlers.rates.calls?.admit(request);
    if (admission !== undefined) return admitted(admission, request, () => this.handle(request, true));
    this.#admitCaller?.(request);
    const { scopes: needed, timeout } = this.#options;
    if (needed !== undefined) requireScopes(request, needed);
    if (timeout !== undefined) request.patience = timeout;
    const params = this.#ownParams(request.params);
    const checked = this.#params?.validate(params);
    if (checked === undefined) return this.#run(params, request);
    return checked instanceof Promise
      ? checked.then((outcome) => this.#admit(outcome, request))
      : this.#admit(checked, request);
  }

  /** Returns the params without the protocol's own members. The answers of earlier rounds are such only if the method has rounds. */
  #ownParams({ _meta, ...params }: UnknownObject): UnknownObject {
    if (!this.#hasRounds) return params;
    const { inputResponses, requestState, ...own } = params;
    return own;
  }

  #admit(outcome: Outcome, request: IncomingRequest): UnknownObject | Promise<UnknownObject> {
    if (outcome.ok) return this.#run(outcome.value, request);
    throw new RpcError(
      ErrorCode.invalidParams,
      `Invalid params for ${this.#name}: ${describeIssues(outcome.issues)}`,
    );
  }

  #run(params: unknown, request: IncomingRequest): UnknownObject | Promise<UnknownObject> {
    const { runs, context } = this.#handlers;
    return runHandler(runs, { request }, (run) => {
      const ctx = new MethodHandlerContext(context, request, run);
      return whenSettled(this.#handler(params as UnknownObject, ctx), (returned) => this.#finish(returned));
    });
  }

  #finish(returned: unknown): UnknownObject | Promise<UnknownObject> {
    const checked = this.#result?.validate(returned) ?? { ok: true, value: returned };
    return checked instanceof Promise
      ? checked.then((outcome) => this.#resultOf(outcome))
      : this.#resultOf(checked);
  }

  /** @throws TypeError if the handler's result does not match; its caller receives "Internal error". */
  #resultOf(outcome: Outcome): UnknownObject {
    const problem = outcome.ok ? resultProblem(outcome.value) : describeIssues(outcome.issues);
    if (outcome.ok && problem === undefined) return outcome.value as UnknownObject;
    throw new TypeError(`The handler of ${this.#name} returned an invalid result: ${problem}`);
  }
}

function resultProblem(value: unknown): string | undefined {
  if (!isObject(value)) return 'a result must be an object';
  const problem = typeProblem(value);
  return problem && `it ${problem}`;
}
