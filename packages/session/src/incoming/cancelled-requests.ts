import { SessionError } from '@tenon/mcp-protocol';
import { callSafely } from '../callbacks.js';
import type { Behaviour, Cancelled } from '../requests/behaviour.js';
import type { IncomingRequest } from '../requests/incoming-request.js';

/** Reports to the owner of an end that the peer cancelled a request, if it did. */
export function reportCancelled(
  behaviour: Pick<Behaviour, 'onCancelled' | 'onError'>,
  request: IncomingRequest | undefined,
  reason: string | undefined,
): void {
  const { onCancelled } = behaviour;
  if (onCancelled === undefined || request === undefined) return;
  const { id, method } = request;
  const { name } = request.params;
  const said = reason === undefined ? '' : oneLine(reason, 200);
  const cancelled = {
    id,
    method,
    ...(typeof name === 'string' && { name: oneLine(name, 128) }),
    ...(said !== '' && { reason: said }),
  };
  callSafely(behaviour, 'onCancelled', () => onCancelled(cancelled));
}

/** Reports to the owner of an end that a request was cancelled because its sender is gone. */
export function reportGone(
  { onGone: onCancelled, onError }: Pick<Behaviour, 'onGone' | 'onError'>,
  request: IncomingRequest,
): void {
  const { exchange, signal } = request;
  const aborted = () => {
    const { reason } = signal;
    const ours = reason instanceof SessionError && reason.reason === 'closed';
    if (exchange.gone === true && !ours && onCancelled !== undefined)
      reportCancelled({ onCancelled, onError }, request, undefined);
  };
  signal.addEventListener('abort', aborted, { once: true });
}

/** One sentence about a cancellation, for logs. */
export function describeCancelled({ id, method, name, reason }: Cancelled): string {
  const what = name === undefined ? method : `${method} of ${name}`;
  const why = reason === undefined ? '.' : `: ${reason}`;
  return `The peer cancelled ${what} (id ${oneLine(String(id), 64)})${why}`;
}

// Made into an expression when needed: as a literal it would be read with the file.
const turning = String.raw`[\u0000-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+`;

/** Text of a peer without what would end a line of a log, or turn its direction. */
function oneLine(text: string, most: number): string {
  return text.slice(0, most).replace(new RegExp(turning, 'g'), ' ').trim();
}
