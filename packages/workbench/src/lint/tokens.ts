import type { Tool } from '@tenon/mcp-client';
import { estimateTokenCount } from 'tokenx';

/** Longer texts are estimated by their beginning. */
const longest = 200_000;

/** Returns about how many tokens a text costs. Models differ: it is an estimate of a few percent for English and JSON. */
export function estimateTokens(text: string): number {
  if (text.length <= longest) return estimateTokenCount(text);
  return Math.round((estimateTokenCount(text.slice(0, longest)) * text.length) / longest);
}

const known = new WeakMap<Tool, number>();

/** Returns about how many tokens the definition of a tool costs in each request of a model. */
export function toolTokens(tool: Tool): number {
  const { name, description, inputSchema } = tool;
  const tokens = known.get(tool) ?? estimateTokens(JSON.stringify({ name, description, inputSchema }));
  known.set(tool, tokens);
  return tokens;
}
