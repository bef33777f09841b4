import type { UnknownObject } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { IncomingRequest } from '@tenon/mcp-session';
import type { Definition } from './definition.js';
import type { InputHost } from '../run/input-requester.js';
import { runLate } from '../run/late-requester.js';
import { type Engine, engine, loadEngine } from '../run/loading.js';

/**
 * Runs a handler that may make input requests, in the way of the revision: returns the handler's
 * result, or the result with its input requests.
 */
export function runHandler(
  definition: Definition,
  request: IncomingRequest,
  run: (host: InputHost) => UnknownObject | Promise<UnknownObject>,
): UnknownObject | Promise<UnknownObject> {
  const loaded = engine();
  if (loaded !== undefined) return runnerOf(loaded, request)(definition.rounds, request, run);
  if (!canAnswerInput(request)) return runLate(definition.rounds, request, run);
  return loadEngine().then((late) => {
    if (request.cancelled) throw request.signal.reason;
    return runnerOf(late, request)(definition.rounds, request, run);
  });
}

function runnerOf({ runLive, runRounds }: Engine, { revision }: IncomingRequest) {
  return revision.rules.inputRequestMode === 'request' ? runLive : runRounds;
}

/** True if the client can answer input requests, or answers one with this request. */
function canAnswerInput({ params, from }: IncomingRequest): boolean {
  const { elicitation, sampling, roots } = from.clientCapabilities;
  return (
    elicitation !== undefined ||
    sampling !== undefined ||
    roots !== undefined ||
    params.requestState !== undefined
  );
}

/** Returns the value of an author's function, or a promise if the value can be awaited. */
export function whenSettled<Value, Result>(
  returned: Value | PromiseLike<Value>,
  finish: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  if (returned instanceof Promise) return returned.then(finish);
  // A `then` method of another object, such as a query builder, runs when it is called.
  if (isAwaitable(returned)) return Promise.resolve(returned).then(finish);
  return finish(returned);
}

function isAwaitable<Value>(returned: Value | PromiseLike<Value>): returned is PromiseLike<Value> {
  return isObject(returned) && typeof returned.then === 'function';
}
