import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { CommandServer } from '../../connections/server-target.js';
import { type Diagnosis, diagnose } from '../../doctor.js';

const info = { name: 'test', version: '1.0.0' };

/** A server in plain JavaScript, for a revision with a handshake. */
const server = (more = '', end = '') => `
  ${more}
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const results = {
      initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'own', version: '1' } },
      'tools/list': { tools: [{ name: 'add', inputSchema: { type: 'object' } }] },
      ping: {},
    };
    if (method in results) send({ id, result: results[method] });
    else send({ id, error: { code: -32601, message: 'Method not found' } });
  }).on('close', () => { ${end} });
`;

function diagnosed(script: string, more: Partial<CommandServer> = {}, timeout = 20_000): Promise<Diagnosis> {
  const target = { kind: 'command', command: process.execPath, args: ['-e', script], ...more } as const;
  return diagnose(target, { info, timeout });
}

function stepOf({ steps }: Diagnosis, id: string) {
  const step = steps.find((one) => one.id === id);
  if (step === undefined) throw new Error(`There is no step ${id}.`);
  return step;
}

describe('the diagnosis of a command', () => {
  it('passes each step of a good server', async () => {
    const diagnosis = await diagnosed(server());
    expect(diagnosis.steps.map(({ id, status }) => `${id} ${status}`)).toEqual(
      'folder program environment start revision lists ping stderr stdout end'
        .split(' ')
        .map((id) => `${id} passed`),
    );
    expect(stepOf(diagnosis, 'revision').summary).toBe('2025-11-25, own 1');
    expect(stepOf(diagnosis, 'lists').summary).toBe('1 tool, 0 resources, 0 templates, 0 prompts');
  });

  it('shows the lines on stdout that are not messages', async () => {
    const diagnosis = await diagnosed(
      server('console.log("Server \\u001b[31mstarted"); console.log("listening");'),
    );
    expect(stepOf(diagnosis, 'start').status).toBe('passed');
    expect(stepOf(diagnosis, 'stdout')).toMatchObject({
      status: 'failed',
      reason: 'protocol',
      summary: '2 lines that are not JSON-RPC',
      details: ['| Server started', '| listening'],
      fix: expect.stringContaining('console.error'),
    });
  });

  it('finds JSON on stdout that is not a message', async () => {
    const diagnosis = await diagnosed(server(`console.log('{"level":30,"msg":"started"}');`));
    expect(stepOf(diagnosis, 'stdout')).toMatchObject({
      status: 'failed',
      summary: expect.stringContaining('JSON'),
    });
  });

  it.each([
    ['ends at once', 'process.exit(3)', 'exited with code 3', 'Run the command by hand'],
    ['ends without an error', '', 'exited with code 0', 'not wait for stdin'],
    [
      'lacks a variable',
      'console.error("Error: NOTES_API_KEY is not set"); process.exit(1)',
      'code 1',
      '--env NOTES_API_KEY=value',
    ],
    ['lacks a module', 'require("./nothing-here.cjs")', 'code 1', 'dependency or the built code'],
    [
      'uses a port that is taken',
      'console.error("listen EADDRINUSE"); process.exit(1)',
      'code 1',
      'port is in use',
    ],
  ])('explains a server that %s', async (...[, script, summary, fix]) => {
    const diagnosis = await diagnosed(script);
    expect(diagnosis).toMatchObject({ ok: false, reason: 'unreachable' });
    expect(stepOf(diagnosis, 'start')).toMatchObject({
      status: 'failed',
      summary: expect.stringContaining(summary),
      fix: expect.stringContaining(fix),
    });
    expect(stepOf(diagnosis, 'lists').status).toBe('skipped');
  });

  it.each([
    ['is silent', 'setInterval(() => {}, 1000)', 'serve HTTP instead'],
    ['prints text and waits', 'console.log("> "); setInterval(() => {}, 1000)', 'another program'],
  ])('explains a program that %s', async (_, script, fix) => {
    const step = stepOf(await diagnosed(script, {}, 600), 'start');
    expect(step).toMatchObject({
      status: 'failed',
      summary: 'it runs, and does not answer',
      fix: expect.stringContaining(fix),
    });
  });

  it('warns when the server does not end with stdin', async () => {
    const diagnosis = await diagnosed(server('', 'setInterval(() => {}, 1000)'));
    expect(stepOf(diagnosis, 'end')).toMatchObject({
      status: 'warned',
      summary: expect.stringContaining('SIGTERM'),
    });
  });

  it('names a program that is like a missing one', async () => {
    const step = stepOf(await diagnosed('', { command: 'nodee' }), 'program');
    expect(step).toMatchObject({
      status: 'failed',
      reason: 'unreachable',
      fix: expect.stringContaining('node'),
    });
  });

  it.each([
    ['a missing script', { command: 'node', args: ['nothing.js'] }, 'does not exist'],
    ['a missing path', { command: './nothing' }, 'does not exist'],
    ['a whole command line in one word', { command: 'node server.js', args: [] }, 'one word with spaces'],
    ['a folder', { command: '/tmp' }, 'is a folder'],
  ])('fails for %s', async (_, change, summary) => {
    const step = stepOf(await diagnosed('', change), 'program');
    expect(step).toMatchObject({ status: 'failed', summary: expect.stringContaining(summary) });
  });

  it('fails for a working folder that does not exist', async () => {
    const diagnosis = await diagnosed('', { cwd: '/nothing/here' });
    expect(stepOf(diagnosis, 'folder').summary).toBe('/nothing/here does not exist');
    expect(stepOf(diagnosis, 'program').status).toBe('skipped');
  });

  it.each([
    ['empty', { API_KEY: '' }, 'API_KEY is empty'],
    ['a placeholder', { API_KEY: '$API_KEY' }, 'placeholder'],
  ])('warns of a variable that is %s', async (_, env, summary) => {
    const step = stepOf(await diagnosed(server(), { env }), 'environment');
    expect(step).toMatchObject({ status: 'warned', summary: expect.stringContaining(summary) });
  });

  it('warns of npx without -y', async () => {
    const step = stepOf(
      await diagnosed('', { command: 'npx', args: ['--no-install', 'nothing-here'] }),
      'program',
    );
    expect(step).toMatchObject({ status: 'warned', fix: expect.stringContaining('npx -y') });
  });

  it('fails for an unknown revision', async () => {
    const target = { kind: 'command', command: process.execPath, args: ['-e', server()] } as const;
    const diagnosis = await diagnose(target, { info, revision: '1999-01-01' });
    expect(diagnosis).toMatchObject({ ok: false, reason: 'usage' });
    expect(stepOf(diagnosis, 'start').summary).toContain('"1999-01-01" is not a revision');
  });

  it('ends the process when it is aborted while the server does not answer', async () => {
    let onGone = () => {};
    const gone = new Promise<void>((resolve) => {
      onGone = resolve;
    });
    const listener = createNetServer((socket) =>
      socket
        .resume()
        .on('close', () => onGone())
        .on('error', () => {}),
    );
    await new Promise<void>((resolve) => {
      listener.listen(0, '127.0.0.1', resolve);
    });
    const { port } = listener.address() as AddressInfo;
    const script = server(`require('node:net').connect(${port}, '127.0.0.1')`).replace(
      "'tools/list':",
      "'other':",
    );
    const silent = script.replace(
      'else send({ id, error',
      "else if (method !== 'tools/list') send({ id, error",
    );
    const ending = new AbortController();
    const target = { kind: 'command', command: process.execPath, args: ['-e', silent] } as const;
    const onStart = (title: string) => {
      if (title === 'Lists') setImmediate(() => ending.abort());
    };
    await expect(diagnose(target, { info, signal: ending.signal, onStart })).rejects.toThrow('aborted');
    await gone;
    listener.close();
  });

  it('rejects when it is aborted', async () => {
    const ending = new AbortController();
    const target = {
      kind: 'command',
      command: process.execPath,
      args: ['-e', 'setInterval(() => {}, 1000)'],
    } as const;
    const run = diagnose(target, {
      info,
      signal: ending.signal,
      onStart: (title) => title === 'Start' && ending.abort(),
    });
    await expect(run).rejects.toThrow('aborted');
  });
});
