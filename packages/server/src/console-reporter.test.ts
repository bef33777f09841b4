import { SessionError } from '@tenon/mcp-protocol';
import { afterEach, expect, test, vi } from 'vitest';
import { consoleReporter } from './console-reporter.js';

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
