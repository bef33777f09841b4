import { type Context, textOf } from '@tenon/mcp-server';

/** One question to a model. */
interface Question {
  readonly prompt: string;
  readonly maxTokens: number;
}

/** Asks the client's model one question; resolves with the texts of its answer. */
export async function askModel(ctx: Context, key: string, { prompt, maxTokens }: Question): Promise<string> {
  const { content } = await ctx.sample(key, {
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens,
  });
  return textOf(content);
}
