import { detach } from '@tenon/foundation';
import {
  type CustomNotification,
  type CustomNotificationParams,
  ErrorCode,
  type HandledParams,
  type HandledResult,
  type Method,
  type MethodParams,
  type MethodResult,
  type ReceivedParams,
  type Revision,
  RpcError,
  revisions,
  SessionError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { type ExtendedRevisions, isObject } from '@tenon/mcp-protocol/internal';
import type { Behaviour, IncomingRequest, NotificationHandler, RequestHandler } from '@tenon/mcp-session';
import type { CallOptions } from '../calls/call-options.js';
import type { Session } from '../session/session.js';
import { type ShapeCheck, type Shaped, shapeCheck } from './shapes.js';

/** The context of a handler of a server's request. */
export interface MethodContext {
  /** Aborts when the server cancels the request or the connection ends. */
  readonly signal: AbortSignal;
}

/** Handles a method outside the core protocol that the server calls, in revisions where servers send requests. */
export type ClientMethodHandler<M extends Method = Method> = (
  params: HandledParams<M>,
  ctx: MethodContext,
) => HandledResult<M> | Promise<HandledResult<M>>;

/** Sends the calls and notifications of a client. */
export interface MethodSender {
  call(method: never, params: never, options?: CallOptions): Promise<object>;
  withSession<Result>(task: (session: Session) => Promise<Result>): Promise<Result>;
}

/** A received notification outside the core protocol. */
export interface ReceivedNotification {
  readonly notification: CustomNotification;
  readonly listener: (params: UnknownObject) => unknown;
}

/** The dependencies of custom methods and notifications. */
export interface CustomMethodsParts {
  readonly spoken: ExtendedRevisions;
  readonly requests: Map<string, RequestHandler>;
  readonly notifications: Map<string, NotificationHandler>;
  readonly onError: Behaviour['onError'];
}

interface Checks {
  readonly params: ShapeCheck;
  readonly result: ShapeCheck;
}

/** The methods and notifications of one client that are not in the core protocol. */
export class CustomMethods {
  readonly #parts: CustomMethodsParts;
  readonly #checks = new WeakMap<Method | CustomNotification, Checks>();
  readonly #listeners = new Map<string, Set<(params: never) => unknown>>();

  constructor(parts: CustomMethodsParts) {
    this.#parts = parts;
  }

  /**
   * Calls a method of the server.
   * @throws TypeError if the params do not have the method's shape; SessionError `invalid-answer` if the result does not.
   */
  async call<M extends Method>(
    sender: MethodSender,
    method: M,
    { params, options }: { readonly params: MethodParams<M>; readonly options?: CallOptions | undefined },
  ): Promise<MethodResult<M>> {
    this.#parts.spoken.addMethod(method, 'client');
    const { name } = method;
    const { params: fits, result } = this.#checksOf(method);
    // The params are sent as the caller wrote them: the server applies defaults and conversions.
    const sound = await fits(params ?? {}, 'author');
    if (sound.problem !== undefined) throw new TypeError(`${name}: invalid params: ${sound.problem}`);
    const answer = await sender.call(name as never, (params ?? {}) as never, options);
    if (method.result === undefined) return answer as MethodResult<M>;
    const { _meta, ...own } = answer as UnknownObject;
    const read = await result(own, 'server');
    if (read.problem === undefined) return read.value as MethodResult<M>;
    throw new SessionError(
      'invalid-answer',
      `The result of ${name} does not have its shape: ${read.problem}`,
    );
  }

  /** Returns the error for the name of a method that neither the core protocol nor an extension of this client has. */
  unknown(name: string): TypeError | undefined {
    const isKnown = ({ requests }: Revision) => requests.client.has(name);
    if (revisions.some(isKnown) || this.#parts.spoken.all.some(isKnown)) return undefined;
    const shown = JSON.stringify(String(name).slice(0, 128));
    return new TypeError(
      `client.request: the core protocol has no method ${shown}. Pass the value of defineMethod, not the name: ` +
        `client.request(defineMethod(${shown}, {}), params).`,
    );
  }

  /**
   * @param admit - throws to reject a request; called before the params are checked.
   * @throws TypeError if the method has a handler already or belongs to the core protocol.
   */
  handle<M extends Method>(method: M, handler: ClientMethodHandler<M>, admit?: () => void): void {
    const { requests, spoken } = this.#parts;
    if (!isObject(method) || method.kind !== 'method' || typeof handler !== 'function')
      throw new TypeError(
        'handle() takes a method and a function: handle(defineMethod("acme/pick", {}), (params, ctx) => ...).',
      );
    if (requests.has(method.name)) throw new TypeError(`Method "${method.name}" has a handler already.`);
    spoken.addMethod(method, 'server');
    const checks = this.#checksOf(method);
    requests.set(method.name, {
      handle: (request) => {
        admit?.();
        return answer(request, { checks, handler: handler as unknown as ClientMethodHandler });
      },
    });
  }

  /**
   * Calls `listener` for each notification of that name. Returns a function that removes the listener.
   * @throws TypeError if the notification belongs to the core protocol.
   */
  listen<N extends CustomNotification>(
    notification: N,
    listener: (params: ReceivedParams<N>) => unknown,
  ): () => void {
    const { notifications, spoken } = this.#parts;
    const { name } = notification;
    spoken.addNotification(notification, 'server');
    let listeners = this.#listeners.get(name);
    if (listeners === undefined) {
      const own = new Set<(params: never) => unknown>();
      listeners = own;
      this.#listeners.set(name, own);
      const check = this.#checksOf(notification).params;
      notifications.set(name, (params) => {
        const received = this.#received(name, check(withoutMeta(params), 'server'), own);
        detach(received, (error) => this.#parts.onError(error, name));
      });
    }
    listeners.add(listener);
    return () => this.#listeners.get(name)?.delete(listener);
  }

  /**
   * Sends a notification, if the revision in use has it.
   * @throws TypeError if the params do not have its shape.
   */
  async notify<N extends CustomNotification>(
    sender: MethodSender,
    notification: N,
    params: CustomNotificationParams<N>,
  ): Promise<void> {
    this.#parts.spoken.addNotification(notification, 'client');
    const { name } = notification;
    const sound = await this.#checksOf(notification).params(params ?? {}, 'author');
    if (sound.problem !== undefined) throw new TypeError(`${name}: invalid params: ${sound.problem}`);
    await sender.withSession(async ({ endpoint }) => endpoint.notify(name as never, (params ?? {}) as never));
  }

  async #received(
    name: string,
    checked: Promise<Shaped>,
    listeners: ReadonlySet<(params: never) => unknown>,
  ): Promise<void> {
    const shaped = await checked;
    if (shaped.problem !== undefined)
      throw new SessionError('invalid-answer', `${name}: invalid params: ${shaped.problem}`);
    for (const listener of [...listeners]) {
      try {
        await listener(shaped.value as never);
      } catch (error) {
        this.#parts.onError(error, name);
      }
    }
  }

  #checksOf(definition: Method | CustomNotification): Checks {
    let checks = this.#checks.get(definition);
    if (checks === undefined) {
      const result = definition.kind === 'method' ? definition.result : undefined;
      checks = { params: shapeCheck(definition.params), result: shapeCheck(result) };
      this.#checks.set(definition, checks);
    }
    return checks;
  }
}

async function answer(
  request: IncomingRequest,
  { checks, handler }: { readonly checks: Checks; readonly handler: ClientMethodHandler },
): Promise<UnknownObject> {
  const { method } = request;
  const read = await checks.params(withoutMeta(request.params), 'server');
  if (read.problem !== undefined)
    throw new RpcError(ErrorCode.invalidParams, `Invalid params for ${method}: ${read.problem}`);
  const result = await handler(read.value, {
    get signal() {
      return request.signal;
    },
  });
  const sound = await checks.result(result, 'author');
  if (sound.problem === undefined) return result as UnknownObject;
  throw new TypeError(`The handler of ${method} returned an invalid result: ${sound.problem}`);
}

function withoutMeta({ _meta, ...params }: UnknownObject): UnknownObject {
  return params;
}
