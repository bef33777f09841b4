import { estimateTokens } from '@tenon/mcp-host/models';
import { type LintRule, quoted, rulesOf, toolRule } from './rule.js';

const missing = toolRule({
  id: 'output-schema-missing',
  severity: 'info',
  about: 'Tools have an output schema, so that programs can use their results.',
  pointer: '/outputSchema',
  problem({ tool }) {
    if (tool.outputSchema !== undefined) return undefined;
    return 'The tool has no output schema, so programs get its result as text.';
  },
});

const callRule = rulesOf(({ calls = [] }) =>
  calls.map((call) => ({ place: { kind: 'tool', name: call.tool } as const, call })),
);

const breaks = callRule({
  id: 'call-output',
  severity: 'error',
  about: 'With `--call`: results fit the output schema.',
  problem: ({ call: { invalid } }) =>
    invalid === undefined ? undefined : `${invalid} Correct the result or the output schema.`,
});

const fails = callRule({
  id: 'call-failed',
  severity: 'warning',
  about: 'With `--call`: calls with valid arguments succeed, and failures are results with `isError`.',
  problem: ({ call: { protocolError, result } }) => {
    if (protocolError !== undefined)
      return `The call failed with a protocol error, which models do not see: ${protocolError} Return a result with "isError": true.`;
    if (result?.isError !== true) return undefined;
    const text = result.content.find((block) => block.type === 'text')?.text ?? '';
    return `The call failed: ${quoted(text)} Pass arguments that work with --calls.`;
  },
});

const text = callRule({
  id: 'call-text',
  severity: 'warning',
  about: 'With `--call`: structured content is also in the content as text, for clients that read only that.',
  problem: ({ call: { result } }) =>
    result?.structuredContent === undefined || result.content.some((block) => block.type === 'text')
      ? undefined
      : 'The result has structured content but no text, so clients of older revisions show nothing. Add the same content as text.',
});

const size = callRule({
  id: 'call-size',
  severity: 'warning',
  about: 'With `--call`: results cost at most as many tokens as the limit `resultTokens`.',
  problem: ({ call: { result } }, { resultTokens }) => {
    if (result === undefined) return undefined;
    const texts = result.content.map((block) => block.text ?? '').join('');
    const tokens = estimateTokens(texts);
    return tokens <= resultTokens
      ? undefined
      : `The result has about ${tokens} tokens; Claude Code accepts ${resultTokens}. Return less, with pages or a filter.`;
  },
});

/** Rules about the results of tools. */
export const outputRules: readonly LintRule[] = [missing, breaks, fails, text, size];
