import { inspect } from 'node:util';
import { SessionError, serverPort } from '@tenon/mcp-protocol';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { everyRevision, WirePeer } from '../../test/wire-peer.js';
import type { ServerOptions } from '../options.js';
import { createServer } from '../server.js';
import { consoleReporter } from './console-reporter.js';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const newest = everyRevision[0] as (typeof everyRevision)[0];

function reporting() {
  const lines: unknown[][] = [];
  vi.spyOn(console, 'error').mockImplementation((...parts) => void lines.push(parts));
  const time = { now: 0 };
  const report = consoleReporter({ now: () => time.now, schedule: () => () => undefined });
  return { lines, time, report };
}

test('writes errors of a peer as one line, and errors of the author with their stack', () => {
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

describe('the written text', () => {
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
    createServer({ name: 'a', version: '1' }, options)[serverPort].onError(
      new SessionError('closed', 'password=pw'),
      'peer',
    );
    expect(lines).toEqual([['[tenon] peer:', written]]);
  });

  test('passes reports unchanged to onError when the author sets it', () => {
    const onError = vi.fn();
    const error = new Error('password=pw');
    createServer({ name: 'a', version: '1' }, { onError })[serverPort].onError(error, 'peer');
    expect(onError.mock.calls[0]?.[0]).toBe(error);
  });
});

describe('the option debug', () => {
  const open = async (options: ServerOptions) => {
    const { lines } = reporting();
    const server = createServer({ name: 'a', version: '1' }, options).tool('search', {}, () => {
      throw new TypeError('bug');
    });
    const peer = await WirePeer.open(server, newest, {});
    const { result } = await peer.request('tools/call', { name: 'search' });
    server[serverPort].onError(new SessionError('invalid-answer', 'odd'), 'peer');
    return { lines, text: result?.content?.[0]?.text };
  };

  test('writes the stack of a tool error, with the name of the tool, although onError is set', async () => {
    const onError = vi.fn();
    const { lines, text } = await open({ debug: true, onError });
    expect(lines.map(([where]) => where)).toEqual(['[tenon] tool search:', '[tenon] peer:']);
    expect(inspect(lines[0]?.[1])).toMatch(/^TypeError: bug\n.*console-reporter\.test/);
    expect(inspect(lines[1]?.[1])).toMatch(/^SessionError: odd\n\s+at /);
    expect(onError).toHaveBeenCalledTimes(2);
    expect(text).toMatch(/^The tool "search" failed\. \(Authors/);
  });

  test.each([
    ['true with NODE_ENV=development', { environment: 'development', options: {}, written: 2 }],
    ['false with another NODE_ENV', { environment: 'production', options: {}, written: 0 }],
    ['false where it is false', { environment: 'development', options: { debug: false }, written: 0 }],
  ])('is %s', async (_, { environment, options, written }) => {
    vi.stubEnv('NODE_ENV', environment);
    expect((await open({ onError: () => {}, ...options })).lines).toHaveLength(written);
  });
});
