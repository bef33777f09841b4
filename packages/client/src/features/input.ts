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
import { pause } from '../pause.js';
import type { Session } from '../session.js';
import { follow } from '../whole-call.js';

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
}

/** A call that ended with input requests. */
export interface AskingCall {
  /** The call as errors name it. */
  readonly name: string;
  readonly method: string;
  readonly params: object;
  readonly session: Session;
  readonly maxRounds: number | undefined;
  /** Ends all of it when it is aborted; the reason is what the call rejects with. */
  readonly stop: AbortController;
  /** Sends the call again with these params. */
  again(params: object): Promise<object>;
}

/**
 * Answers the input requests of a call and sends it again, until it ends with its result.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 * @throws SessionError `limit` after too many rounds or input requests, `invalid-answer` for those this client cannot answer,
 * the reason of `stop` when it is aborted; and whatever a handler throws.
 */
export async function answerRounds(
  { asks, clock, limit: usual, most, delay, maxDelay }: Rounds,
  call: AskingCall,
  first: InputRequiredResult,
): Promise<object> {
  const limit = call.maxRounds ?? usual;
  const { signal } = call.stop;
  // An earlier state in the caller's own params was meant for the first request alone.
  const { requestState: _, inputResponses: __, ...params } = call.params as UnknownObject;
  let waits = 0;
  let result: object = first;
  for (let round = 1; isInputRequired(result); round++) {
    if (round > limit) {
      const advice = 'allow it more with the option "maxRounds", or "limits.rounds" of the client';
      throw new SessionError('limit', `${call.name} asked for input more than ${limit} times; ${advice}.`);
    }
    signal.throwIfAborted();
    const { inputRequests, requestState } = result;
    const answers: { -readonly [K in keyof InputAnswers]: InputAnswers[K] } = {};
    const asked = Object.entries(inputRequests ?? {});
    if (asked.length > most) {
      throw new SessionError(
        'limit',
        `${call.name} asks ${asked.length} questions at once; ${most} are answered: allow more with the option "limits.asks".`,
      );
    }
    if (asked.length > 0) answers.inputResponses = await answerAll(asks, call, asked);
    else if (requestState === undefined) throw nothingAsked(call.name);
    else await pause(clock, Math.min(maxDelay, delay * 2 ** waits++), signal);
    if (requestState !== undefined) answers.requestState = requestState;
    signal.throwIfAborted();
    result = await call.again({ ...params, ...answers });
  }
  return result;
}

async function answerAll(
  asks: Asks,
  { session: { revision }, stop }: AskingCall,
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

function nothingAsked(name: string): SessionError {
  return new SessionError('invalid-answer', `The answer to ${name} wants input but names none.`);
}
