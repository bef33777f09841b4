import type { Step } from '../transcripts/transcript.js';

/** One parsed line of an HTTP story. */
export type HttpStep =
  | {
      readonly kind: 'request';
      readonly name: string;
      readonly method: string;
      readonly path: string;
      readonly headers: Headers;
      readonly body: string | undefined;
    }
  /** The client breaks the connection. */
  | { readonly kind: 'hang-up'; readonly name: string }
  /** An event at the server, or the passing of time. */
  | { readonly kind: 'event-outside'; readonly what: string }
  | { readonly kind: 'part'; readonly name: string; readonly part: ExpectedPart };

type Headers = Readonly<Record<string, string>>;

/** A part of a response in a story; JSON is parsed. */
export type ExpectedPart =
  | { readonly kind: 'head'; readonly status: number; readonly headers: Headers; readonly body?: unknown }
  | {
      readonly kind: 'event';
      readonly id?: string;
      readonly event?: string;
      readonly retry?: string;
      /** Data that is not JSON. */
      readonly text?: string;
      /** Data that is JSON, parsed. */
      readonly data?: unknown;
    }
  | { readonly kind: 'comment' }
  | { readonly kind: 'end' }
  | { readonly kind: 'broken' };

/**
 * Parses a step of an HTTP story. Outgoing steps are `name: POST /path`, or a name for a path, with headers on their own
 * lines and a body below, `name: (hangs up)`, or an event in brackets. Incoming steps are `name: 200` with headers and a
 * body, `name: event` with its fields and data, `name: comment`, `name: (ends)` or `name: (breaks)`.
 * @throws SyntaxError with the line that is none of these
 */
export function readHttpStep({ text, direction, line }: Step): HttpStep {
  const [first = '', ...rest] = text.split('\n');
  const [, name = '', said = ''] = /^([a-z][a-z-]*): (.+)$/.exec(first) ?? [];
  const outside = /^\((.+)\)$/.exec(first)?.[1];
  if (direction === 'out' && outside !== undefined) return { kind: 'event-outside', what: outside };
  if (name === '') throw problem(line, 'expected the name of an exchange');
  const lines = rest.map((one) => one.trim());
  const below = lines.findIndex((one) => !/^[a-z][a-z-]*: /i.test(one));
  const fields = fieldsOf(below < 0 ? lines : lines.slice(0, below));
  const body = below < 0 ? undefined : rest.slice(below).join('\n').trim();
  if (direction === 'in') return { kind: 'part', name, part: partOf(said, fields, { body, line }) };
  if (said === '(hangs up)') return { kind: 'hang-up', name };
  const [, method, path] = /^([A-Z]+) ([/<]\S*)$/.exec(said) ?? [];
  if (method === undefined || path === undefined) throw problem(line, 'expected a method and a path');
  return { kind: 'request', name, method, path, headers: fields, body };
}

interface Below {
  readonly body: string | undefined;
  readonly line: number;
}

function partOf(said: string, fields: Headers, { body, line }: Below): ExpectedPart {
  const value: unknown = body === undefined ? undefined : JSON.parse(body);
  if (said === 'event') return { kind: 'event', ...fields, ...(value !== undefined && { data: value }) };
  if (said === 'comment') return { kind: 'comment' };
  if (said === '(ends)') return { kind: 'end' };
  if (said === '(breaks)') return { kind: 'broken' };
  const status = /^[1-5]\d\d$/.exec(said)?.[0];
  if (status === undefined) throw problem(line, 'expected a status, an event, a comment or an end');
  return {
    kind: 'head',
    status: Number(status),
    headers: fields,
    ...(value !== undefined && { body: value }),
  };
}

function fieldsOf(lines: readonly string[]): Headers {
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
}

function problem(line: number, message: string): SyntaxError {
  return new SyntaxError(`line ${line}: ${message}`);
}
