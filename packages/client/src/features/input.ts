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
import type { Session } from '../session.js';

/** What answering rounds of input needs of its client. */
export interface Rounds {
  readonly asks: Asks;
  readonly clock: Clock;
  /** Rounds one call may ask for. */
  readonly limit: number;
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
 * @throws SessionError `limit` after too many rounds, `cancelled` when the caller's signal aborts, `invalid-answer`
 * for questions this client did not declare; and whatever a handler throws.
 */
export async function answerRounds(
  rounds: Rounds,
  call: AskingCall,
  first: InputRequiredResult,
): Promise<object> {
  const limit = call.options?.maxRounds ?? rounds.limit;
  let waits = 0;
  let result: object = first;
  for (let round = 1; isInputRequired(result); round++) {
    if (round > limit) {
      throw new SessionError('limit', `${call.method} asked for input more than ${limit} times.`);
    }
    requireWanted(call);
    const { inputRequests, requestState } = result;
    const answers: { -readonly [K in keyof InputAnswers]: InputAnswers[K] } = {};
    const asked = Object.entries(inputRequests ?? {});
    if (asked.length > 0) answers.inputResponses = await answerAll(rounds.asks, call, asked);
    else if (requestState === undefined) throw nothingAsked(call.method);
    else await pause(rounds.clock, Math.min(longestWait, shortestWait * 2 ** waits++), call.options?.signal);
    if (requestState !== undefined) answers.requestState = requestState;
    requireWanted(call);
    result = await call.again({ ...call.params, ...answers });
  }
  return result;
}

/** Milliseconds before a call that asked for nothing is sent again: doubled each time, up to the longest. */
const shortestWait = 100;
const longestWait = 10_000;

async function answerAll(
  asks: Asks,
  call: AskingCall,
  asked: readonly (readonly [key: string, request: InputRequest])[],
): Promise<UnknownObject> {
  // All of them before any: nobody is bothered for a call that fails anyway.
  for (const [, { method, params }] of asked) asks.requireDeclared({ method, params: paramsOrNone(params) });
  const controller = new AbortController();
  const abort = () => controller.abort(call.options?.signal?.reason);
  const outer = call.options?.signal;
  outer?.addEventListener('abort', abort, { once: true });
  const { revision } = call.session;
  const { signal } = controller;
  try {
    const cancelled = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(cancellation(call)), { once: true });
    });
    const questions = asked.map(([key, { method, params }]): [string, Ask] => {
      return [key, { method, params: paramsOrNone(params), revision, signal }];
    });
    const answers = questions.map(async ([key, question]): Promise<[string, UnknownObject]> => {
      return [key, await asks.answerInResult(question)];
    });
    // Keys are the server's: they become own members whatever their name.
    return Object.fromEntries(await Promise.race([Promise.all(answers), cancelled]));
  } catch (error) {
    // What else was asked need not be answered any more.
    controller.abort(error);
    throw error;
  } finally {
    outer?.removeEventListener('abort', abort);
  }
}

function paramsOrNone(params: object | undefined): UnknownObject {
  return (params ?? {}) as UnknownObject;
}

function requireWanted(call: AskingCall): void {
  if (call.options?.signal?.aborted) throw cancellation(call);
}

function cancellation(call: AskingCall): SessionError {
  return new SessionError('cancelled', `${call.method} was cancelled by its caller.`, {
    cause: call.options?.signal?.reason,
  });
}

function nothingAsked(method: string): SessionError {
  return new SessionError('invalid-answer', `The answer to ${method} wants input but names none.`);
}

function pause(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.schedule(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}
