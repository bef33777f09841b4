import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallEvent, DevEvent } from '@tenon/mcp-workbench/dev';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runTenon } from '../../../test/run-tenon.js';
import { Terminal } from '../../terminal/terminal.js';
import { eventPrinter } from './dev.js';

function call(method: string, more: Partial<CallEvent> = {}): DevEvent {
  return { type: 'call', client: 'tenon', method, ms: 5, outcome: 'ok', ...more };
}

/** Returns the lines that events are printed as, without times. */
function printed(events: readonly DevEvent[]): readonly string[] {
  let text = '';
  const stream = {
    write(chunk: string) {
      text += chunk;
    },
  };
  const terminal = new Terminal({
    input: { isTTY: false },
    output: stream,
    error: stream,
    env: {},
    cwd: '/',
  } as never);
  const printer = eventPrinter(terminal, { target: { kind: 'file', file: 'server.ts' } });
  for (const event of events) printer.print(event);
  printer.end();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^[\d:]{8} /, '').replace(/[\d.]+ m?s/g, 'TIME'));
}

const lists = ['tools', 'resources', 'resources/templates', 'prompts'].map((name) => `${name}/list`);

describe('the log of tenon dev', () => {
  it('has one line for the requests of "tenon list"', () => {
    expect(printed([call('server/discover'), ...lists.map((method) => call(method))])).toEqual([
      'tenon  connect, list tools, resources, templates, prompts TIME',
    ]);
  });

  it('keeps the order when another request follows', () => {
    const events = [
      call('initialize'),
      call('tools/list'),
      call('tools/call', { name: 'greet' }),
      call('ping'),
    ];
    expect(printed(events)).toEqual([
      'tenon  connect, list tools TIME',
      'tenon  tools/call greet TIME',
      'tenon  ping TIME',
    ]);
  });

  it('has a line for each client', () => {
    expect(printed([call('tools/list'), call('tools/list', { client: 'other' })])).toEqual([
      'tenon  tools/list TIME',
      'other  tools/list TIME',
    ]);
  });

  it('does not repeat the error when clients are rejected because the server does not start', () => {
    const message = 'The server does not start: bad';
    const rejected = (method: string) => call(method, { outcome: 'no-server', message });
    const error = { message: 'bad', stack: 'bad' };
    const events = [{ type: 'failed', error } as const, rejected('server/discover'), rejected('initialize')];
    expect(printed(events)).toEqual([
      'failed  The server does not start. Save a fixed file to try again.',
      '         bad',
      'tenon  connect TIME rejected: the server does not start',
    ]);
  });

  it('prints errors of lists on lines of their own', () => {
    expect(printed([call('tools/list', { outcome: 'error', message: 'no' }), call('prompts/list')])).toEqual([
      'tenon  tools/list TIME error: no',
      'tenon  prompts/list TIME',
    ]);
  });
});

describe('tenon dev', () => {
  it('prints help that fits a screen', async () => {
    const { code, stdout } = await runTenon(['dev', '--help']);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it.each([
    ['no file', [], 'No server is named.'],
    ['a file that does not exist', ['no.ts'], 'There is no file no.ts.'],
    ['a port that is none', ['no.ts', '--port', '70000'], 'A port is a number from 0 to 65535'],
    ['a command over HTTP', ['--', 'python', 'server.py'], 'A command can only be served over stdio.'],
    ['--quiet with --json', ['no.ts', '--quiet', '--json'], 'cannot be used with'],
  ])('exits with 1 for %s', async (_, words, text) => {
    const { code, stderr } = await runTenon(['dev', ...words]);
    expect(code).toBe(1);
    expect(stderr).toContain(text);
  });

  it('says at once that it starts the server, on a terminal', async () => {
    const { stderr } = await runTenon(['dev', 'no.ts'], { tty: true });
    expect(stderr).toMatch(/^Starting the server \.\.\./);
    expect((await runTenon(['dev', 'no.ts', '--quiet'], { tty: true })).stderr).not.toContain('Starting');
  });

  it('exits with 1 for a file of variables that cannot be read', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'tenon-cli-dev-'));
    onTestFinished(() => rm(cwd, { recursive: true, force: true }));
    await writeFile(join(cwd, 'server.js'), '');
    const { code, stderr } = await runTenon(['dev', 'server.js', '--env-file', 'no.env'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain('no.env');
  });
});
