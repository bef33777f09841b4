import { type Redactor, redact, redactText } from '@tenon/foundation/redaction';

/**
 * Returns log data that is safe for a client: without credentials, and without stack traces, which show how the server is built.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging#security
 */
export const tellable: Redactor = (value) =>
  redact(value, { text: (text) => withoutFrames(redactText(text)) });

const place = /:\d{1,9}:\d{1,9}\)?\s{0,2}$/;

/** Returns a text without the lines of a stack trace. */
function withoutFrames(text: string): string {
  if (!text.includes('at ')) return text;
  const lines = text.split('\n');
  const kept = lines.filter((line) => !isFrame(line));
  return kept.length === lines.length ? text : kept.join('\n');
}

function isFrame(line: string): boolean {
  const said = line.trimStart();
  if (!said.startsWith('at ') || said.length === line.length) return false;
  return place.test(said) || said.endsWith('(native)') || said.endsWith('(<anonymous>)');
}

/** Returns the data in a form for JSON: null for no data, and large integers as text. */
export function writable(data: unknown): unknown {
  try {
    return JSON.stringify(data) === undefined ? null : data;
  } catch {
    return withoutIntegers(data);
  }
}

function withoutIntegers(data: unknown): unknown {
  try {
    const text = JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    return JSON.parse(text) as unknown;
  } catch {
    return '[unreadable]';
  }
}
