import { type Clock, pause, unlessAborted } from '@tenon/foundation';
import {
  type InputAnswers,
  type InputRequest,
  type InputRequiredResult,
  isInputRequired,
  SessionError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import type { Session } from '../session/session.js';
import type { InputRequests, PendingInputRequest } from './input-requests.js';

/** The dependencies of answering input requests. */
export interface Rounds {
  readonly handlers: InputRequests;
  readonly clock: Clock;
  /** Rounds of one call. */
  readonly limit: number;
  /** Input requests of one round. */
  readonly most: number;
  /** Milliseconds before a call is sent again after a round without input requests: doubled each time, up to the longest. */
  readonly delay: number;
  readonly maxDelay: number;
}

/** A call that ended with input requests. */
export interface InputRequiredCall {
  /** The name of the call in errors. */
  readonly name: string;
  readonly method: string;
  readonly params: object;
  readonly session: Session;
  readonly maxRounds: number | undefined;
  /** The values of the caller for middleware and handlers. */
  readonly state: object | undefined;
  /** Ends the call when aborted; the reason is the error of the call. */
  readonly stop: AbortController;
  /** Sends the call again with these params. */
  again(params: object): Promise<object>;
}

/**
 * Answers the input requests of a call and sends it again, until it ends with its result.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 * @throws SessionError `limit` after too many rounds or input requests, `invalid-answer` for those this client cannot answer,
 * the reason of `stop` if it is aborted; and errors of handlers.
 */
export async function answerRounds(
  { handlers, clock, limit: usual, most, delay, maxDelay }: Rounds,
  call: InputRequiredCall,
  first: InputRequiredResult,
): Promise<object> {
  const limit = call.maxRounds ?? usual;
  const { signal } = call.stop;
  // An earlier state in the caller's params was meant for the first request only.
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
    const requested = Object.entries(inputRequests ?? {});
    if (requested.length > most) {
      throw new SessionError(
        'limit',
        `${call.name} sent ${requested.length} input requests at once; the limit is ${most}.`,
      );
    }
    if (requested.length > 0) answers.inputResponses = await answerAll(handlers, call, requested);
    else if (requestState === undefined) throw nothingRequested(call.name);
    else await pause(clock, Math.min(maxDelay, delay * 2 ** waits++), { signal, holds: true });
    if (requestState !== undefined) answers.requestState = requestState;
    signal.throwIfAborted();
    result = await call.again({ ...params, ...answers });
  }
  return result;
}

async function answerAll(
  handlers: InputRequests,
  { session: { revision }, stop, state }: InputRequiredCall,
  requested: readonly (readonly [key: string, request: InputRequest])[],
): Promise<UnknownObject> {
  const { signal } = stop;
  const pending = requested.map(([key, { method, params = {} }]): [string, PendingInputRequest] => {
    return [key, { key, method, params: params as UnknownObject, revision, signal, state }];
  });
  // All are checked before any is answered: the user is not disturbed for a call that fails anyway.
  handlers.admit(pending.map(([, one]) => one));
  const answers = pending.map(async ([key, one]): Promise<[string, UnknownObject]> => {
    return [key, await handlers.answerInResult(one)];
  });
  try {
    // Keys come from the server: they become own members whatever their name.
    return Object.fromEntries(await unlessAborted(Promise.all(answers), signal));
  } catch (error) {
    // The other input requests need no answer any more.
    stop.abort(error);
    throw error;
  }
}

function nothingRequested(name: string): SessionError {
  return new SessionError('invalid-answer', `The answer to ${name} wants input but names none.`);
}

/** True if the result requests input, in a revision with such results. */
export function endsWithInputRequests(result: object, { revision }: Session): result is InputRequiredResult {
  return isInputRequired(result) && revision.rules.inputRequestMode === 'in-result';
}
