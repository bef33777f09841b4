import { meantOption } from '@tenon/foundation';

/**
 * The format of the API of a model: `anthropic` (Messages), `openai` (Chat Completions, and the many servers that are compatible),
 * `openai-responses` (Responses), `gemini` (generateContent), `ai-sdk` (data for the library `ai`).
 */
export type ModelFormat = 'anthropic' | 'openai' | 'openai-responses' | 'gemini' | 'ai-sdk';

export const modelFormats: readonly ModelFormat[] = [
  'anthropic',
  'openai',
  'openai-responses',
  'gemini',
  'ai-sdk',
];

/** @throws TypeError for an unknown format. @param owner - the function with the option `for`. */
export function requireFormat(owner: string, format: unknown): asserts format is ModelFormat {
  if (modelFormats.some((known) => known === format)) return;
  const given = String(format);
  throw new TypeError(
    `${owner}: there is no format ${JSON.stringify(given.slice(0, 100))}.${meantOption(given, modelFormats)}`,
  );
}
