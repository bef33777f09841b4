import type { UnknownObject } from '@tenon/mcp-protocol';
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
    ? runLive(request, run)
    : runRounds(definition.rounds, request, run);
}
