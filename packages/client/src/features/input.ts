import {
  type InputAnswers,
  type InputRequest,
  type InputRequiredResult,
  isInputRequired,
  SessionError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import type { Clock } from '@tenon/mcp-session';
import type { Ask, Asks } from '../asks.js';
import type { CallOptions } from '../call-options.js';
import { pause } from '../pause.js';
import type { Session } from '../session.js';

/** What answering rounds of input needs of its client. */
export interface Rounds {
  readonly asks: Asks;
  readonly clock: Clock;
  /** Rounds one call may ask for. */
  readonly limit: number;
  /** Questions one round may ask. */
  readonly most: number;
  /** Milliseconds before a call that asked for nothing is sent again: doubled each time, up to the longest. */
  readonly delay: number;
  readonly maxDelay: number;
  /** What stops each call that is being answered, with the error it then rejects with. */
  readonly running: Set<AbortController>;
}

/** A call that ended with questions. */
export interface AskingCall {
  readonly method: string;
  readonly params: object;
  readonly session: Session;
  readonly options: CallOptions | undefined;
  /** Sends the call again with these params. */
  again(params: object): Promise<object>;
}

/**
 * Answers the questions of a call and sends it again, until it ends with its result.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 * @throws SessionError `limit` after too many rounds or questions, `cancelled` when the caller's signal aborts, `closed` when the
 * client does, `invalid-answer` for questions this client cannot answer; and whatever a handler throws.
 */
export async function answerRounds(
  rounds: Rounds,
  call: AskingCall,
  first: InputRequiredResult,
): Promise<object> {
  const { signal } = call.options ?? {};
  const stop = new AbortController();
  const release = follow(signal, () => stop.abort(cancellation(call.method, signal?.reason)));
  rounds.running.add(stop);
  try {
    return await untilFinal(rounds, { ...call, stop }, first);
  } finally {
    rounds.running.delete(stop);
    release();
  }
}

/** A call whose questions end when `stop` is aborted; the reason is what the call rejects with. */
interface StoppableCall extends AskingCall {
  readonly stop: AbortController;
}

async function untilFinal(
  { asks, clock, limit: usual, most, delay, maxDelay }: Rounds,
  call: StoppableCall,
  first: InputRequiredResult,
): Promise<object> {
  const limit = call.options?.maxRounds ?? usual;
  const { signal } = call.stop;
  // An earlier state in the caller's own params was meant for the first request alone.
  const { requestState: _, inputResponses: __, ...params } = call.params as UnknownObject;
  let waits = 0;
  let result: object = first;
  for (let round = 1; isInputRequired(result); round++) {
    if (round > limit) {
      throw new SessionError('limit', `${call.method} asked for input more than ${limit} times.`);
    }
    signal.throwIfAborted();
    const { inputRequests, requestState } = result;
    const answers: { -readonly [K in keyof InputAnswers]: InputAnswers[K] } = {};
    const asked = Object.entries(inputRequests ?? {});
    if (asked.length > most) {
      throw new SessionError(
        'limit',
        `${call.method} asks ${asked.length} questions at once; ${most} are answered.`,
      );
    }
    if (asked.length > 0) answers.inputResponses = await answerAll(asks, call, asked);
    else if (requestState === undefined) throw nothingAsked(call.method);
    else await pause(clock, Math.min(maxDelay, delay * 2 ** waits++), signal);
    if (requestState !== undefined) answers.requestState = requestState;
    signal.throwIfAborted();
    result = await call.again({ ...params, ...answers });
  }
  return result;
}

async function answerAll(
  asks: Asks,
  { session: { revision }, stop }: StoppableCall,
  asked: readonly (readonly [key: string, request: InputRequest])[],
): Promise<UnknownObject> {
  const { signal } = stop;
  const questions = asked.map(([key, { method, params = {} }]): [string, Ask] => {
    return [key, { method, params: params as UnknownObject, revision, signal }];
  });
  // All of them before any: nobody is bothered for a call that fails anyway.
  asks.admit(questions.map(([, question]) => question));
  let release = () => {};
  const stopped = new Promise<never>((_, reject) => {
    release = follow(signal, () => reject(signal.reason));
  });
  const answers = questions.map(async ([key, question]): Promise<[string, UnknownObject]> => {
    return [key, await asks.answerInResult(question)];
  });
  try {
    // Keys are the server's: they become own members whatever their name.
    return Object.fromEntries(await Promise.race([Promise.all(answers), stopped]));
  } catch (error) {
    // What else was asked need not be answered any more.
    stop.abort(error);
    throw error;
  } finally {
    release();
  }
}

/** Runs `task` once the signal aborts, at once if it has. Returns a function that ends the waiting. */
function follow(signal: AbortSignal | undefined, task: () => void): () => void {
  if (signal?.aborted) task();
  signal?.addEventListener('abort', task, { once: true });
  return () => signal?.removeEventListener('abort', task);
}

function cancellation(method: string, cause: unknown): SessionError {
  return new SessionError('cancelled', `${method} was cancelled by its caller.`, { cause });
}

function nothingAsked(method: string): SessionError {
  return new SessionError('invalid-answer', `The answer to ${method} wants input but names none.`);
}
