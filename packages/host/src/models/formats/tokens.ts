import { estimateTokenCount } from 'tokenx';

/** Longer texts are estimated by their beginning. */
const longest = 200_000;

/**
 * Returns about how many tokens a text, or a value as JSON, costs a model: an estimate of a few percent for English and JSON. A value that
 * has no JSON counts zero.
 */
export function estimateTokens(value: unknown): number {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  if (text.length <= longest) return estimateTokenCount(text);
  return Math.round((estimateTokenCount(text.slice(0, longest)) * text.length) / longest);
}
