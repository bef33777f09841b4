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
