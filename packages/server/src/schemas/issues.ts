import { OutOfSteps } from '@tenon/json-schema';

/** One complaint about a value; `path` reads like `a.b[0].c` and is empty at the root. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** What came of a validation; `value` carries a library's defaults and conversions. */
export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Issues kept of one validation; the rest is dropped. */
export const maxIssues = 10;

const maxPathLength = 200;
const maxMessageLength = 300;

/** The issues as one text that names the paths. */
export function describeIssues(issues: readonly Issue[]): string {
  return issues
    .map(({ path, message }) => {
      const isNamed = path === '' || message === path || message.startsWith(`${path} `);
      return isNamed ? message : `${path}: ${message}`;
    })
    .join('; ');
}

/** An issue with its texts cut to a bounded length. */
export function issue(keys: readonly PropertyKey[], message: string): Issue {
  return { path: cut(formatPath(keys), maxPathLength), message: cut(message, maxMessageLength) };
}

/** The outcome for a value that is nested too deeply for its schema to be walked. */
const tooDeep: Outcome = {
  ok: false,
  issues: [{ path: '', message: 'the value is nested too deeply' }],
};

/** The outcome for a value whose check would hold up everybody else. */
export const tooCostly: Outcome = {
  ok: false,
  issues: [{ path: '', message: 'the value takes too long to check; send less of it' }],
};

/** The outcome for a value whose check was broken off; throws any other error again. */
export function brokenOff(error: unknown): Outcome {
  if (error instanceof OutOfSteps) return tooCostly;
  if (isStackOverflow(error)) return tooDeep;
  throw error;
}

/** True for the error an engine throws when the stack is used up. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof Error && /call stack size exceeded|too much recursion/.test(error.message);
}

function formatPath(keys: readonly PropertyKey[]): string {
  let path = '';
  for (const key of keys) {
    if (typeof key === 'number') path += `[${key}]`;
    else if (typeof key === 'string' && !/^[\w$-]+$/.test(key)) path += `[${JSON.stringify(key)}]`;
    else path += path === '' ? String(key) : `.${String(key)}`;
    if (path.length > maxPathLength) break;
  }
  return path;
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
