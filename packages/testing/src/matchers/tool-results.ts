import { isObject, type MatcherState, type Outcome, printed, unfit } from './outcome.js';

interface Result {
  readonly content: readonly unknown[];
  readonly isError?: unknown;
  readonly structuredContent?: unknown;
}

const wanted = 'the result of a tool call (was it awaited?)';

/** Expects the result of a successful call; with `text`, one with this text, or a text that matches. */
export function toBeToolResult(this: MatcherState, received: unknown, text?: string | RegExp): Outcome {
  if (!isResult(received)) return unfit(this, wanted, received);
  const said = textOf(received);
  if (received.isError === true)
    return { pass: false, message: () => `expected a result, and the tool failed:\n${said}` };
  return compareText(this, said, { text, otherwise: 'expected no result, and the tool said' });
}

/** Expects the result of a call with a tool error; with `text`, one with this text, or a text that matches. */
export function toBeToolError(this: MatcherState, received: unknown, text?: string | RegExp): Outcome {
  if (!isResult(received)) return unfit(this, wanted, received);
  const said = textOf(received);
  if (received.isError !== true)
    return { pass: false, message: () => `expected the tool to fail, and it said:\n${said}` };
  return compareText(this, said, { text, otherwise: 'expected the tool not to fail, and it did' });
}

/** Expects a result with this structured content, which may contain asymmetric matchers. */
export function toHaveStructuredContent(this: MatcherState, received: unknown, expected?: unknown): Outcome {
  if (!isResult(received)) return unfit(this, wanted, received);
  const { structuredContent: actual } = received;
  const came = printed(this, actual);
  if (actual === undefined) {
    const why =
      received.isError === true
        ? `the tool failed:\n${textOf(received)}`
        : 'there is none (is there an output schema, and a revision that has structured content?)';
    return { pass: false, message: () => `expected structured content, and ${why}` };
  }
  const pass = expected === undefined || this.equals(actual, expected);
  const message = () =>
    pass
      ? `expected other structured content than ${came}`
      : `expected structured content ${printed(this, expected)}, received ${came}`;
  return { pass, message, ...(expected !== undefined && { actual, expected }) };
}

/** @param otherwise - the problem of a negated expectation without a text. */
function compareText(
  state: MatcherState,
  said: string,
  { text, otherwise }: { readonly text: string | RegExp | undefined; readonly otherwise: string },
): Outcome {
  if (text === undefined) return { pass: true, message: () => `${otherwise}:\n${said}` };
  const pass = typeof text === 'string' ? said === text : said.search(text) >= 0;
  const wantedText = printed(state, text);
  const message = () =>
    pass
      ? `expected a text other than ${wantedText}`
      : `expected the text ${wantedText}, received ${printed(state, said)}`;
  return { pass, message, actual: said, expected: text };
}

function isResult(value: unknown): value is Result {
  return isObject(value) && Array.isArray(value.content);
}

/** The texts of a result, one per line; other blocks by their type. */
function textOf({ content }: Result): string {
  return content
    .map((block) => {
      if (!isObject(block)) return String(block);
      return block.type === 'text' ? String(block.text) : `(${String(block.type)})`;
    })
    .join('\n');
}
