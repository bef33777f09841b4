import { toolPlace } from '../entries.js';
import { type LintRule, serverPlace } from '../rule.js';
import { toolTokens } from '../tokens.js';

const ofTool: LintRule = {
  id: 'tokens-tool',
  severity: 'warning',
  about: 'The definition of a tool costs at most as many tokens as the limit `tokensPerTool`.',
  *check({ catalog }, { tokensPerTool }) {
    for (const tool of catalog.tools) {
      const tokens = toolTokens(tool);
      if (tokens <= tokensPerTool) continue;
      yield {
        place: toolPlace(tool),
        pointer: '',
        message: `The definition costs about ${tokens} tokens in each request of a model; the limit is ${tokensPerTool}. Shorten descriptions, or accept fewer parameters.`,
      };
    }
  },
};

const ofAll: LintRule = {
  id: 'tokens-total',
  severity: 'warning',
  about: 'The definitions of all tools cost at most as many tokens as the limit `tokens`.',
  *check({ catalog }, { tokens: limit }) {
    const tokens = catalog.tools.reduce((sum, tool) => sum + toolTokens(tool), 0);
    if (tokens <= limit) return;
    yield {
      place: serverPlace,
      pointer: '',
      message: `All tools together cost about ${tokens} tokens in each request of a model; the limit is ${limit}. Offer fewer tools, or shorten the largest: see --costs.`,
    };
  },
};

/** Rules about tokens. */
export const costRules: readonly LintRule[] = [ofTool, ofAll];
