import type { Answer, Receiver, RequestId } from '@tenon/mcp-protocol';

/** A receiver that records its calls. */
export function recorder(answer: (value: unknown) => Answer = () => undefined) {
  const seen: unknown[] = [];
  const problems: string[] = [];
  /** Ids of the requests that were answered, and of malformed lines. */
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
      problems.push(reason);
      if (unread !== undefined) (unread.kind === 'request' ? requested : answered).push(unread.id);
      return `"problem ${problems.length}"`;
    },
    closed(reason) {
      closed.push(reason);
      ended();
    },
  };
  return { receiver, seen, problems, answered, requested, closed, end };
}
