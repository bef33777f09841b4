import { estimateTokens } from './costs.js';
import { type LintRule, quoted, toolPlace } from './rule.js';
import type { LintCall } from './subject.js';

const missing: LintRule = {
  id: 'output-schema-missing',
  severity: 'info',
  about: 'Tools have an output schema, so that programs can use their results.',
  *check({ catalog }) {
    for (const tool of catalog.tools) {
      if (tool.outputSchema !== undefined) continue;
      yield {
        place: toolPlace(tool),
        pointer: '/outputSchema',
        message: 'The tool has no output schema, so programs get its result as text.',
      };
    }
  },
};

const breaks: LintRule = callRule({
  id: 'call-output',
  severity: 'error',
  about: 'With `--call`: results fit the output schema.',
  problem: ({ invalid }) =>
    invalid === undefined ? undefined : `${invalid} Correct the result or the output schema.`,
});

const fails: LintRule = callRule({
  id: 'call-failed',
  severity: 'warning',
  about: 'With `--call`: calls with valid arguments succeed, and failures are results with `isError`.',
  problem: ({ protocolError, result }) => {
    if (protocolError !== undefined)
      return `The call failed with a protocol error, which models do not see: ${protocolError} Return a result with "isError": true.`;
    if (result?.isError !== true) return undefined;
    const text = result.content.find((block) => block.type === 'text')?.text ?? '';
    return `The call failed: ${quoted(text)} Pass arguments that work with --calls.`;
  },
});

const text: LintRule = callRule({
  id: 'call-text',
  severity: 'warning',
  about: 'With `--call`: structured content is also in the content as text, for clients that read only that.',
  problem: ({ result }) =>
    result?.structuredContent === undefined || result.content.some((block) => block.type === 'text')
      ? undefined
      : 'The result has structured content but no text, so clients of older revisions show nothing. Add the same content as text.',
});

const size: LintRule = callRule({
  id: 'call-size',
  severity: 'warning',
  about: 'With `--call`: results cost at most as many tokens as the limit `resultTokens`.',
  problem: ({ result }, { resultTokens }) => {
    if (result === undefined) return undefined;
    const texts = result.content.map((block) => block.text ?? '').join('');
    const tokens = estimateTokens(texts);
    return tokens <= resultTokens
      ? undefined
      : `The result has about ${tokens} tokens; Claude Code accepts ${resultTokens}. Return less, with pages or a filter.`;
  },
});

interface CallRule extends Pick<LintRule, 'id' | 'severity' | 'about'> {
  readonly problem: (call: LintCall, limits: Parameters<LintRule['check']>[1]) => string | undefined;
}

function callRule({ problem, ...rule }: CallRule): LintRule {
  return {
    ...rule,
    *check({ calls = [] }, limits) {
      for (const call of calls) {
        const message = problem(call, limits);
        if (message !== undefined) yield { place: { kind: 'tool', name: call.tool }, pointer: '', message };
      }
    },
  };
}

/** Rules about the results of tools. */
export const outputRules: readonly LintRule[] = [missing, breaks, fails, text, size];
