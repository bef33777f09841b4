import type { Answer } from '@tenon/mcp-protocol';

/** Why a list of messages is no batch; undefined for one that can be taken. */
export function batchFlaw(messages: readonly unknown[], limit: number): string | undefined {
  if (messages.length === 0) return 'A batch must hold at least one message.';
  return messages.length > limit ? `A batch may hold ${limit} messages, not ${messages.length}.` : undefined;
}

/**
 * Answers a batch: each message on its own, the answers in one list in the order of the messages.
 * @returns undefined when no message wants an answer.
 */
export function answerBatch(messages: readonly unknown[], receive: (message: unknown) => Answer): Answer {
  const answers = messages.map(receive);
  if (answers.some((answer) => answer instanceof Promise)) return Promise.all(answers).then(join);
  return join(answers as (string | undefined)[]);
}

function join(answers: readonly (string | undefined)[]): string | undefined {
  const frames = answers.filter((answer) => answer !== undefined);
  return frames.length === 0 ? undefined : `[${frames.join(',')}]`;
}
