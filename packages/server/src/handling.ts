import { isObject, type UnknownObject } from '@tenon/mcp-protocol';
import type { IncomingRequest } from '@tenon/mcp-session';
import type { AskingHost } from './asking/asker.js';
import { runLive } from './asking/live.js';
import { runRounds } from './asking/rounds.js';
import { Context } from './context.js';
import type { Definition } from './definition.js';

/**
 * Runs a handler that may ask the client, in whichever way the revision asks: what comes back is the handler's own
 * result, or the result that carries its questions.
 */
export function runHandler(
  definition: Definition,
  request: IncomingRequest,
  handle: (ctx: Context) => UnknownObject | Promise<UnknownObject>,
): UnknownObject | Promise<UnknownObject> {
  const run = (host: AskingHost) => handle(new Context(definition, request, host));
  return request.revision.rules.serverAsks === 'request'
    ? runLive(definition.rounds, request, run)
    : runRounds(definition.rounds, request, run);
}

/** What becomes of what an author's function returned: at once, or when it settles if it can be awaited. */
export function whenSettled<Value, Result>(
  returned: Value | PromiseLike<Value>,
  finish: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  if (returned instanceof Promise) return returned.then(finish);
  // What is no Promise but has a `then`, such as a query builder, runs when that is called.
  if (isAwaitable(returned)) return Promise.resolve(returned).then(finish);
  return finish(returned);
}

function isAwaitable<Value>(returned: Value | PromiseLike<Value>): returned is PromiseLike<Value> {
  return isObject(returned) && typeof returned.then === 'function';
}
