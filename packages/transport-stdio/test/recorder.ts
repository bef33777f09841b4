import type { Answer, Receiver } from '@tenon/mcp-protocol';

/** A receiver that keeps what it is told. */
export function recorder(answer: (value: unknown) => Answer = () => undefined) {
  const seen: unknown[] = [];
  const flaws: string[] = [];
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
    malformed(reason) {
      flaws.push(reason);
      return `"flaw ${flaws.length}"`;
    },
    closed(reason) {
      closed.push(reason);
      ended();
    },
  };
  return { receiver, seen, flaws, closed, end };
}
