import type { Answer, Exchange } from '@tenon/mcp-protocol';

/** Why a list of messages is no batch; undefined for one that can be taken. */
export function batchFlaw(messages: readonly unknown[], limit: number): string | undefined {
  if (messages.length === 0) return 'A batch must hold at least one message.';
  return messages.length > limit ? `A batch may hold ${limit} messages, not ${messages.length}.` : undefined;
}

/** Hears with which status messages are refused. */
export type Refusals = Pick<Exchange, 'refused'>;

/**
 * Answers a batch: each message on its own, the answers in one list in the order of the messages. One that is refused
 * does not spoil the answers to the others: only a batch without any is refused as a whole.
 * @returns undefined when no message wants an answer.
 */
export function answerBatch(
  messages: readonly unknown[],
  exchange: Refusals,
  receive: (message: unknown, refusals: Refusals) => Answer,
): Answer {
  let refused: number | undefined;
  const refusals: Refusals = {
    refused: (status) => {
      refused = status;
    },
  };
  const answers = messages.map((message) => receive(message, refusals));
  if (answers.some((answer) => answer instanceof Promise)) return Promise.all(answers).then(join);
  const answer = join(answers as (string | undefined)[]);
  if (answer === undefined && refused !== undefined) exchange.refused?.(refused);
  return answer;
}

function join(answers: readonly (string | undefined)[]): string | undefined {
  const frames = answers.filter((answer) => answer !== undefined);
  return frames.length === 0 ? undefined : `[${frames.join(',')}]`;
}
