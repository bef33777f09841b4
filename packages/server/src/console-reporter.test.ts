import { inspect } from 'node:util';
import { SessionError } from '@tenon/mcp-protocol';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { consoleReporter } from './console-reporter.js';
import type { ServerOptions } from './options.js';
import { createServer } from './server.js';

afterEach(() => vi.restoreAllMocks());

function reporting() {
  const lines: unknown[][] = [];
  vi.spyOn(console, 'error').mockImplementation((...parts) => void lines.push(parts));
  const time = { now: 0 };
  const report = consoleReporter({ now: () => time.now, schedule: () => () => undefined });
  return { lines, time, report };
}

test('what a peer did wrong is a line, what the author did keeps its stack', () => {
  const { lines, report } = reporting();
  const bug = new TypeError('bug');
  report(new SessionError('invalid-answer', 'params.x: expected a string'), 'notifications/x');
  report(bug, 'tools/call');
  expect(lines).toEqual([
    ['[tenon] notifications/x:', 'params.x: expected a string'],
    ['[tenon] tools/call:', bug],
  ]);
});

test('a flood is counted, not written', () => {
  const { lines, time, report } = reporting();
  for (let index = 0; index < 1_000; index++) report('flood', 'peer');
  expect(lines).toHaveLength(20);
  time.now = 1_000;
  report('later', 'peer');
  expect(lines.slice(20)).toEqual([
    ['[tenon] 980 more errors were not written.'],
    ['[tenon] peer:', 'later'],
  ]);
});

describe('what is written', () => {
  test('has no credentials: in messages, stacks, causes and members', () => {
    const { lines, report } = reporting();
    const error = Object.assign(new Error('GET https://u:pw@h', { cause: new Error('password=pw1') }), {
      headers: { authorization: 'pw2' },
    });
    report(error, 'tool fetch');
    report(new SessionError('closed', 'Bearer abc123def456 refused'), 'peer');
    const text = inspect(lines, { depth: 9 });
    expect(text).not.toMatch(/pw|abc123/);
    expect(text).toContain('console-reporter.test.ts');
    expect(text).toContain('GET https://[redacted]@h');
    expect(lines[1]).toEqual(['[tenon] peer:', 'Bearer [redacted] refused']);
  });

  test('has nothing that a terminal obeys', () => {
    const { lines, report } = reporting();
    report(new SessionError('invalid-answer', 'a\u001b[2Jb\u0007'), 'peer');
    expect(lines).toEqual([['[tenon] peer:', 'ab']]);
  });

  test.each<[string, ServerOptions, string]>([
    ['what a hook leaves', { redact: () => 'nothing' }, 'nothing'],
    ['everything where redaction is off', { redact: false }, 'password=pw'],
  ])('is %s', (_, options, written) => {
    const { lines } = reporting();
    createServer({ name: 'a', version: '1' }, options).onError(
      new SessionError('closed', 'password=pw'),
      'peer',
    );
    expect(lines).toEqual([['[tenon] peer:', written]]);
  });

  test('is nobody’s business where the author hears of errors: they are given as they are', () => {
    const onError = vi.fn();
    const error = new Error('password=pw');
    createServer({ name: 'a', version: '1' }, { onError }).onError(error, 'peer');
    expect(onError.mock.calls[0]?.[0]).toBe(error);
  });
});
