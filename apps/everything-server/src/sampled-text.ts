import { type Context, textOf } from '@tenon/mcp-server';

/** A prompt for the client's model. */
interface SamplingPrompt {
  readonly prompt: string;
  readonly maxTokens: number;
}

/** Requests sampling; resolves with the texts of the answer. */
export async function sampleText(
  ctx: Context,
  key: string,
  { prompt, maxTokens }: SamplingPrompt,
): Promise<string> {
  const { content } = await ctx.sample(key, {
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens,
  });
  return textOf(content);
}
