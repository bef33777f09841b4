import type { HttpCall } from '../endpoint/http-call.js';
import { primingText, retryText, streamHeaders } from './event-text.js';
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
