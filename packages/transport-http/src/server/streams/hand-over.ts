import { ErrorCode, type HttpRefusal } from '@tenon/mcp-protocol';
import { primingText, retryText, streamHeaders } from '../call/event-text.js';
import type { HttpCall } from '../call/http-call.js';
import { refuse } from '../call/refusal.js';
import type { StreamOwner } from './session-streams.js';

/**
 * Answers a GET for a stream that another process can serve: the stream ends at once, and the client requests it again. An error response would
 * do for a few times only: the official SDK gives up after the third, and never repeats the first GET of a session.
 * @param retry - milliseconds that the client must wait.
 */
export function handOver(
  call: HttpCall,
  { resumable }: Pick<StreamOwner, 'resumable'>,
  { lastEventId, retry }: { readonly lastEventId: string | undefined; readonly retry: number },
): void {
  call.open(streamHeaders);
  // A stream without an id would replace the id that the official SDK has.
  if (lastEventId !== undefined && resumable) call.end(primingText(lastEventId, retry));
  else call.end(retryText(retry));
}

/** Answers a GET for a stream of a session that this process has left meanwhile: to other processes, unless the session has ended. */
export function refuseLeft(
  call: HttpCall,
  owner: Pick<StreamOwner, 'resumable'> & { readonly draining: boolean },
  stream: { readonly lastEventId: string; readonly retry: number },
): void {
  if (owner.draining) handOver(call, owner, stream);
  else refuse(call, leftHere);
}

/** The refusal of a process that has left the session, which others may continue: the client requests the stream again. */
const leftHere: HttpRefusal = {
  status: 503,
  reason: 'This process has left the session; send the request again.',
  headers: { 'retry-after': '1' },
  code: ErrorCode.overloaded,
};
