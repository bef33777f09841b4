import { addresseeOf } from '@tenon/mcp-protocol/internal';

/** A message that another process must receive. */
export interface Forwarded {
  /** Undefined: all other processes. */
  readonly process: string | undefined;
  readonly message: unknown;
  /** True if the client must learn whether it was received. */
  readonly answers: boolean;
}

/** The messages of one POST, by the processes that they are for. */
export interface Sorted {
  /** The part for this process; undefined if there is none. */
  readonly here: unknown;
  readonly forwarded: readonly Forwarded[];
}

/** The most messages of one POST that are forwarded. A batch with more is left to the limit of the application. */
const mostForwarded = 1_000;

/**
 * Sorts the messages of a POST; undefined if all are for this process.
 * @param self - the id of this process.
 * @param batching - true if the POST may hold a batch. Nothing of another list is forwarded, since the application rejects it.
 */
export function sorted(value: unknown, self: string, batching: boolean): Sorted | undefined {
  if (Array.isArray(value) && !batching) return undefined;
  const forwarded: Forwarded[] = [];
  const here = (Array.isArray(value) ? value : [value]).filter((message) => {
    const addressee = addresseeOf(message);
    if (addressee === undefined || addressee.process === self) return true;
    if (addressee.process === undefined) {
      forwarded.push({ process: undefined, message, answers: false });
      return true;
    }
    forwarded.push({ process: addressee.process, message, answers: addressee.answers });
    return false;
  });
  if (forwarded.length === 0 || forwarded.length > mostForwarded) return undefined;
  if (here.length === 0) return { here: undefined, forwarded };
  return { here: Array.isArray(value) ? here : value, forwarded };
}
