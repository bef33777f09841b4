import {
  type CreateMessageParams,
  type CreateMessageResult,
  ErrorCode,
  RpcError,
  textOf,
} from '@tenon/mcp-client';
import type { Prompter } from './prompter.js';

/** Shows a sampling request, and lets the user write the answer of the model or decline. @throws RpcError if the user declines. */
export async function askSample(
  { messages, systemPrompt, maxTokens }: CreateMessageParams,
  { server, prompter }: { server: string; prompter: Prompter },
): Promise<CreateMessageResult> {
  const shown = messages.map(({ role, content }) => {
    const blocks = Array.isArray(content) ? content : [content];
    const others = blocks.filter(({ type }) => type !== 'text').map(({ type }) => `[${type}]`);
    return `${role}: ${[textOf(content), ...others].filter((text) => text !== '').join(' ')}`;
  });
  const system = systemPrompt === undefined ? [] : [`system: ${systemPrompt}`];
  prompter.say(
    [`${server} requests an answer of a model, of at most ${maxTokens} tokens:`, ...system, ...shown].join(
      '\n',
    ),
  );
  const action = await prompter.choice<'write' | 'decline'>({
    message: 'There is no model here.',
    choices: [
      { value: 'write', label: 'Write the answer' },
      { value: 'decline', label: 'Decline' },
    ],
  });
  const text = action === 'write' ? await prompter.text({ message: 'Answer' }) : undefined;
  if (text === undefined)
    throw new RpcError(ErrorCode.userRejected, 'The user rejected the sampling request.');
  return { role: 'assistant', content: { type: 'text', text }, model: 'user', stopReason: 'endTurn' };
}
