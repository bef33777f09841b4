import type { Tool } from '@tenon/mcp-client';
import { estimateTokens } from '@tenon/mcp-host/models';
import { type LintRule, serverRule, toolRule } from './rule.js';

const known = new WeakMap<Tool, number>();

/** Returns about how many tokens the definition of a tool costs in each request of a model. */
export function toolTokens(tool: Tool): number {
  const { name, description, inputSchema } = tool;
  const tokens = known.get(tool) ?? estimateTokens({ name, description, inputSchema });
  known.set(tool, tokens);
  return tokens;
}

const ofTool = toolRule({
  id: 'tokens-tool',
  severity: 'warning',
  about: 'The definition of a tool costs at most as many tokens as the limit `tokensPerTool`.',
  problem({ tool }, { tokensPerTool }) {
    const tokens = toolTokens(tool);
    if (tokens <= tokensPerTool) return undefined;
    return `The definition costs about ${tokens} tokens in each request of a model; the limit is ${tokensPerTool}. Shorten descriptions, or accept fewer parameters.`;
  },
});

const ofAll = serverRule({
  id: 'tokens-total',
  severity: 'warning',
  about: 'The definitions of all tools cost at most as many tokens as the limit `tokens`.',
  problem({ catalog }, { tokens: limit }) {
    const tokens = catalog.tools.reduce((sum, tool) => sum + toolTokens(tool), 0);
    if (tokens <= limit) return undefined;
    return `All tools together cost about ${tokens} tokens in each request of a model; the limit is ${limit}. Offer fewer tools, or shorten the largest: see --costs.`;
  },
});

/** Rules about tokens. */
export const costRules: readonly LintRule[] = [ofTool, ofAll];
