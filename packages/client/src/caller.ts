import {
  type InputRequiredResult,
  isInputRequired,
  type LogLevel,
  type ParamsOf,
  type RequestMethod,
  type ResultOf,
  SessionError,
} from '@tenon/mcp-protocol';
import type { RequestOptions } from '@tenon/mcp-session';
import { type CallOptions, withMeta } from './call-options.js';
import { type Elicitation, urlElicitationRequired } from './features/elicitation.js';
import { answerRounds, type Rounds } from './features/input.js';
import type { Lifeline } from './lifeline.js';
import { requireCapability, type Session } from './session.js';

/** A result that is no question. */
export type FinalResultOf<M extends RequestMethod> = Exclude<ResultOf<M>, InputRequiredResult>;

/** What may be asked a second time when the connection is lost before the answer: it changes nothing. */
const repeatable: ReadonlySet<string> = new Set([
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
]);

const noOptions: RequestOptions = Object.freeze({});
const withProgress: RequestOptions = Object.freeze({ progress: true });

/** Methods that may take long: progress is asked for even when nobody listens, for it grants the call more time. */
const lasting: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);

/** Sends the calls of a client over whichever session it has at the time. */
export class Caller {
  readonly lifeline: Lifeline;
  readonly #rounds: Rounds;
  readonly #elicitation: Elicitation | undefined;
  /** Least severe log level wanted, if any. */
  logLevel: LogLevel | undefined;

  constructor(lifeline: Lifeline, rounds: Rounds, elicitation: Elicitation | undefined) {
    this.lifeline = lifeline;
    this.#rounds = rounds;
    this.#elicitation = elicitation;
  }

  /**
   * Sends one request and, where the server asks for input first, answers and sends it again.
   * In stateless revisions reads and lists are sent again once when the connection is lost.
   */
  async call<M extends RequestMethod>(
    method: M,
    given: ParamsOf<M>,
    options?: CallOptions,
  ): Promise<FinalResultOf<M>> {
    const params = withMeta(given, options);
    let session = this.lifeline.session ?? (await this.lifeline.ready(options?.signal));
    let result: ResultOf<M>;
    try {
      // Not by way of #send: another promise for each call can be measured.
      requireCapability(session, method);
      result = await session.endpoint.request(method, params, this.#sendOptions(session, method, options));
    } catch (error) {
      if (!this.#mayRepeat(session, method, error)) throw this.#told(error, session);
      session = await this.lifeline.ready(options?.signal);
      result = await this.#send(session, { method, params }, options);
    }
    return isInputRequired(result)
      ? this.#finish(result, { method, params, session, options })
      : (result as FinalResultOf<M>);
  }

  async #send<M extends RequestMethod>(
    session: Session,
    { method, params }: { method: M; params: ParamsOf<M> },
    options: CallOptions | undefined,
  ): Promise<ResultOf<M>> {
    try {
      requireCapability(session, method);
      return await session.endpoint.request(method, params, this.#sendOptions(session, method, options));
    } catch (error) {
      throw this.#told(error, session);
    }
  }

  /** Answers what a call asked, as often as it asks. */
  async #finish<M extends RequestMethod>(
    first: InputRequiredResult,
    call: { method: M; params: ParamsOf<M>; session: Session; options: CallOptions | undefined },
  ): Promise<FinalResultOf<M>> {
    const { method, session, options } = call;
    this.lifeline.ended.throwIfAborted();
    const again = async (params: ParamsOf<M>): Promise<object> => {
      const now = this.lifeline.session ?? (await this.lifeline.ready(options?.signal));
      if (now.revision === session.revision) return this.#send(now, { method, params }, options);
      throw new SessionError(
        'closed',
        'The connection was lost, and the server now speaks another revision.',
      );
    };
    const result = await answerRounds(this.#rounds, { ...call, again }, first);
    return result as FinalResultOf<M>;
  }

  #sendOptions(session: Session, method: string, options: CallOptions | undefined): RequestOptions {
    const logLevel = options?.logLevel ?? this.logLevel;
    const perRequest = logLevel !== undefined && session.revision.rules.logging === 'request';
    const progress = lasting.has(method);
    if (options === undefined && !perRequest) return progress ? withProgress : noOptions;
    return { progress, ...options, ...(perRequest && { logLevel }) };
  }

  /** The error as its caller hears of it. */
  #told(error: unknown, session: Session): unknown {
    const required = urlElicitationRequired(error, session.revision);
    if (required === undefined) return error;
    this.#elicitation?.expect(required.elicitations);
    return required;
  }

  #mayRepeat(session: Session, method: string, error: unknown): boolean {
    return (
      error instanceof SessionError &&
      error.reason === 'closed' &&
      session.revision.lifecycle === 'stateless' &&
      repeatable.has(method) &&
      this.lifeline.state !== 'closed'
    );
  }
}
