import { stoppedProblem } from '@tenon/json-schema';

/** One issue of a value; `path` reads like `a.b[0].c` and is empty at the root. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** The result of a validation; `value` includes a library's defaults and conversions. */
export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** The most issues of one validation; the rest is dropped. */
export const maxIssues = 10;

const maxPathLength = 200;
const maxMessageLength = 300;

/** Returns the issues as one text with the paths. */
export function describeIssues(issues: readonly Issue[]): string {
  return issues
    .map(({ path, message }) => {
      const isNamed = path === '' || message === path || message.startsWith(`${path} `);
      return isNamed ? message : `${path}: ${message}`;
    })
    .join('; ');
}

/** Returns an issue with its texts cut to a limited length. */
export function issue(keys: readonly PropertyKey[], message: string): Issue {
  return { path: cut(formatPath(keys), maxPathLength), message: cut(message, maxMessageLength) };
}

/** Returns the result for a value if its check was stopped; throws any other error again. */
export function brokenOff(error: unknown): Outcome {
  return { ok: false, issues: [{ path: '', message: stoppedProblem(error) }] };
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

/** Returns the error of a schema that its validator rejects. */
export function brokenSchema(cause: unknown, owner: string): TypeError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const fix =
    cause instanceof Error && cause.name === 'EvalError'
      ? 'this runtime forbids generated code, so give the server a validator that needs none, as in ' +
        "createServer(info, { validator: interpreter() }) with interpreter from '@tenon/mcp-server/interpreter', " +
        'or use a Standard Schema library such as zod'
      : 'correct the JSON Schema';
  return new TypeError(`${owner}: the JSON Schema cannot be compiled (${reason}); ${fix}`, { cause });
}
