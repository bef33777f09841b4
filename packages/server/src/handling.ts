import type { UnknownObject } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { IncomingRequest } from '@tenon/mcp-session';
import type { AskingHost } from './asking/asker.js';
import { runLate } from './asking/late-asker.js';
import { type Engine, engine, loadEngine } from './asking/loading.js';
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
  const loaded = engine();
  if (loaded !== undefined) return runnerOf(loaded, request)(definition.rounds, request, run);
  if (!mayAsk(request)) return runLate(definition.rounds, request, run);
  return loadEngine().then((late) => {
    if (request.cancelled) throw request.signal.reason;
    return runnerOf(late, request)(definition.rounds, request, run);
  });
}

function runnerOf({ runLive, runRounds }: Engine, { revision }: IncomingRequest) {
  return revision.rules.serverAsks === 'request' ? runLive : runRounds;
}

/** True when the client can answer input requests, or answers one. */
function mayAsk({ params, from }: IncomingRequest): boolean {
  const { elicitation, sampling, roots } = from.clientCapabilities;
  return (
    elicitation !== undefined ||
    sampling !== undefined ||
    roots !== undefined ||
    params.requestState !== undefined
  );
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
