import { detach, onAbort } from '@tenon/foundation';
import {
  type ClientAnswer,
  decodeResult,
  ErrorCode,
  type InputRequest,
  type InputResponse,
  RemoteError,
  type RequestId,
  SessionError,
  type UnknownObject,
  type WireError,
} from '@tenon/mcp-protocol';
import type { IncomingRequest } from '@tenon/mcp-session';
import { waitForInitialized } from '../core/initialization.js';
import { inputTypeOf, obstacle } from './capabilities.js';
import { type InputPort, Inputs } from './inputs.js';
import { OnceSteps, type StepJournal, stepsIn, valuesOf } from './once-steps.js';
import { handlerOf, tooManyAtOnce, tooManyRounds } from './problems.js';
import type { RunOptions } from './run.js';

/** Returns the input requests of a handler that waits for their answers. */
export function liveInputs(
  options: RunOptions,
  request: IncomingRequest,
  steps: StepJournal | undefined,
): Inputs {
  return new Inputs(request, new LiveInput(options, request, steps));
}

/**
 * Sends input requests as separate requests, while the handler waits. A round begins with each request that is made while no other one
 * waits, so that the limits are the same as in revisions that end the call with input requests.
 */
class LiveInput implements InputPort {
  readonly steps: OnceSteps;
  readonly #options: RunOptions;
  readonly #request: IncomingRequest;
  /** Set if another process can continue the call, or has begun it. */
  readonly #record: LiveRecord | undefined;
  #rounds = 0;
  /** The requests of the current round, and those of them that wait. */
  #inRound = 0;
  #waiting = 0;
  #over: AbortController | undefined;

  constructor(options: RunOptions, request: IncomingRequest, steps: StepJournal | undefined) {
    const { history, suspend } = request.exchange;
    this.#options = options;
    this.#request = request;
    this.#record = history === undefined && suspend === undefined ? undefined : new LiveRecord(request);
    this.steps = new OnceSteps({ interrupted: () => request.cancelled }, this.#record?.steps, steps);
  }

  ended(): unknown {
    return this.#request.cancelled ? this.#request.signal.reason : undefined;
  }

  refusal(_: string, request: InputRequest): SessionError | undefined {
    return obstacle(this.#request, inputTypeOf(request)) ?? this.#excess();
  }

  async answer(key: string, request: InputRequest): Promise<InputResponse> {
    const earlier = this.#record?.answerTo(key, request.method);
    if (earlier !== undefined) return earlier;
    this.#waiting++;
    try {
      const initialized = waitForInitialized(this.#request, this.#signal());
      if (initialized !== undefined) await this.#request.awaiting(initialized);
      return await this.#send(key, request);
    } finally {
      this.#waiting--;
    }
  }

  /** Cancels the requests that still wait: nothing reads their answers. */
  end(): void {
    this.#over?.abort();
  }

  /** Counts one more request; returns the reason if it must not be made. */
  #excess(): SessionError | undefined {
    const { rounds, inputRequests } = this.#options.limits;
    if (this.#waiting > 0) {
      if (this.#inRound >= inputRequests) return tooManyAtOnce(handlerOf(this.#request), inputRequests);
      this.#inRound++;
      return undefined;
    }
    if (this.#rounds >= rounds) return tooManyRounds(handlerOf(this.#request), rounds);
    this.#rounds++;
    this.#inRound = 1;
    return undefined;
  }

  #send(key: string, request: InputRequest): Promise<InputResponse> {
    const incoming = this.#request;
    const { intercept } = this.#options;
    const record = this.#record;
    const signal = this.#signal();
    const { method } = request;
    const params = this.#params(request) as UnknownObject;
    let isSent = false;
    const onId = (id: RequestId) => {
      isSent = true;
      record?.requested(id, key);
    };
    // People answer slowly: only the total time is limited, silence is not.
    const options = { signal, timeout: Number.POSITIVE_INFINITY, ...(record !== undefined && { onId }) };
    const send = () => incoming.ask(method, params as never, options) as Promise<InputResponse>;
    const answer =
      intercept === undefined
        ? send()
        : incoming.awaiting(intercept({ request: incoming, method, params, signal }, send));
    if (record === undefined) return answer;
    return answer.then(
      async (result) => {
        await record.answered(key, { result });
        return result;
      },
      async (error: unknown) => {
        // A handler that goes on without an answer must have the call too.
        const isAnswered = isSent || error instanceof RemoteError;
        if (isAnswered && !signal.aborted) await record.answered(key, { error: wireErrorOf(error) });
        throw error;
      },
    );
  }

  #params(request: InputRequest): object {
    const { params } = request;
    if (request.method !== 'elicitation/create' || request.params.mode !== 'url') return params ?? {};
    if (!this.#request.revision.rules.elicitationIds || request.params.elicitationId !== undefined)
      return request.params;
    return { ...request.params, elicitationId: globalThis.crypto.randomUUID() };
  }

  #signal(): AbortSignal {
    if (this.#over === undefined) {
      const over = new AbortController();
      const outer = this.#request.signal;
      onAbort(outer, () => over.abort(outer.reason));
      this.#over = over;
    }
    return this.#over.signal;
  }
}

/** The record of a call that another process can continue: it is kept there before the handler goes on. */
class LiveRecord {
  readonly steps: Map<string, unknown>;
  readonly #request: IncomingRequest;
  readonly #answers: Map<string, ClientAnswer>;
  readonly #waiting = new Map<RequestId, string>();

  constructor(request: IncomingRequest) {
    const { answers = {}, steps = {} } = request.exchange.history ?? {};
    this.#request = request;
    this.#answers = new Map(Object.entries(answers));
    this.steps = valuesOf(steps);
  }

  /**
   * Returns the answer that the client gave while another process ran the call; undefined if there is none. Rejects with a
   * RemoteError if the answer is an error, and with a SessionError if it is invalid.
   */
  answerTo(key: string, method: string): Promise<InputResponse> | undefined {
    const answer = this.#answers.get(key);
    return answer === undefined ? undefined : this.#decoded(answer, method);
  }

  async #decoded(answer: ClientAnswer, method: string): Promise<InputResponse> {
    if ('error' in answer) throw new RemoteError(answer.error, { method });
    const { revision } = this.#request;
    const row = revision.requests.server.get(method);
    const decoded = row && decodeResult(revision, row, answer.result);
    if (decoded?.ok === true) return decoded.value as unknown as InputResponse;
    throw new SessionError('invalid-answer', `The answer to ${method} is not valid: ${decoded?.problem}`);
  }

  /** Notes an input request that is about to be sent. */
  requested(id: RequestId, key: string): void {
    this.#waiting.set(id, key);
    // A failure is noticed before the handler goes on.
    detach(this.#keep(), () => {});
  }

  /**
   * Notes an answer, before the handler goes on with it.
   * @throws the reason of the request's signal if another process continues the call.
   */
  async answered(key: string, answer: ClientAnswer): Promise<void> {
    for (const [id, waiting] of this.#waiting) if (waiting === key) this.#waiting.delete(id);
    this.#answers.set(key, answer);
    if ((await this.#keep()) === false) throw this.#request.signal.reason;
  }

  #keep(): Promise<boolean> | undefined {
    const { exchange } = this.#request;
    return exchange.suspend?.({
      answers: Object.fromEntries(this.#answers),
      steps: stepsIn(this.steps),
      waiting: Object.fromEntries(this.#waiting),
    });
  }
}

/** Returns the error that a handler received in place of an answer, as another process can give it to the handler. */
function wireErrorOf(error: unknown): WireError {
  if (error instanceof RemoteError) return { code: error.code, message: error.peerMessage };
  return { code: ErrorCode.internalError, message: error instanceof Error ? error.message : String(error) };
}
