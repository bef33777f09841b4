import { type InputRequest, type InputResponse, SessionError } from '@tenon/mcp-protocol';
import type { IncomingRequest } from '@tenon/mcp-session';
import { inputPromise } from '../run/input-promise.js';
import type { Run } from '../run/run.js';
import { Context, type ContextParts } from './context.js';

const methods: readonly unknown[] = [
  'elicitation/create',
  'sampling/createMessage',
  'roots/list',
] satisfies readonly InputRequest['method'][];

/** The context of a method outside the core protocol. */
export class MethodHandlerContext<State extends object = object> extends Context<State> {
  readonly #request: IncomingRequest;
  readonly #run: Run;

  /** @internal */
  constructor(parts: ContextParts, request: IncomingRequest, run: Run) {
    super(parts, request, run);
    this.#request = request;
    this.#run = run;
  }

  /**
   * The id of the session, the same in all processes that serve it; undefined without a session. It may be a secret of the client: do
   * not send it to others.
   */
  get session(): string | undefined {
    return this.#request.sessionId;
  }

  /**
   * Sends the client an input request as it is, with its `_meta`, on the stream of this request: for work that requested the input
   * elsewhere. The same limits and capability checks apply as in `elicit`, `sample` and `roots`.
   * @param key - the name of the input request; unique within the handler.
   * @returns the neutral response, checked by the revision.
   * @throws SessionError `not-in-revision` in revisions that end a call with input requests, and without a session;
   * MissingCapabilityError if the client lacks the capability; RemoteError if the client answers with an error; TypeError if the method
   * is not one of an input request.
   */
  requestInput(key: string, request: InputRequest): Promise<InputResponse> {
    const problem = this.#problemOf(request);
    if (problem !== undefined) return inputPromise(({ raise }) => raise(problem));
    return this.#run.track(key, this.#run.requestInput(key, request));
  }

  #problemOf({ method }: InputRequest): Error | undefined {
    if (!methods.includes(method))
      return new TypeError(
        `${this.#request.method}: ${method} is not an input request: use ${methods.join(', ')}.`,
      );
    const { rules, id } = this.#request.revision;
    if (rules.inputRequestMode === 'request') return undefined;
    const message = `${method} cannot be sent while ${this.#request.method} runs: ${id} has no requests of the server.`;
    return new SessionError('not-in-revision', message);
  }
}
