import type { Answer, Receiver, RequestId } from '@tenon/mcp-protocol';

/** A receiver that keeps what it is told. */
export function recorder(answer: (value: unknown) => Answer = () => undefined) {
  const seen: unknown[] = [];
  const flaws: string[] = [];
  /** Ids of the requests that flawed lines would have answered, or were. */
  const answered: RequestId[] = [];
  const requested: RequestId[] = [];
  const closed: (Error | undefined)[] = [];
  let ended = (): void => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const receiver: Receiver = {
    receive(value) {
      seen.push(value);
      return answer(value);
    },
    malformed(reason, _exchange, unread) {
      flaws.push(reason);
      if (unread !== undefined) (unread.kind === 'request' ? requested : answered).push(unread.id);
      return `"flaw ${flaws.length}"`;
    },
    closed(reason) {
      closed.push(reason);
      ended();
    },
  };
  return { receiver, seen, flaws, answered, requested, closed, end };
}
