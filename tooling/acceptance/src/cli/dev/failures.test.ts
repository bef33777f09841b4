import { once } from 'node:events';
import { createServer } from 'node:net';
import { textOf } from '@tenon/mcp-client';
import { describe, expect, test } from 'vitest';
import { DevRun, toolsServer } from './dev-project.js';

const broken = 'import { createServer } from "@tenon/mcp-server";\nconst server = createServer({;\n';
const transports = ['http', 'stdio'] as const;

/** A tool that reports that it runs, and ends when the file `go` exists. */
const slow = `
import { existsSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
server.tool('slow', {}, async () => {
  const go = join(dirname(fileURLToPath(import.meta.url)), 'go');
  console.error('slow runs');
  const watcher = watch(dirname(go));
  await new Promise<void>((resolve) => {
    const check = () => existsSync(go) && resolve();
    watcher.on('change', check);
    check();
  });
  watcher.close();
  return 'slow is done';
});`;

async function nextOutput(run: DevRun, text: string): Promise<void> {
  while (!(await run.next('output')).line.includes(text));
}

describe.each(transports)('tenon dev over %s', (transport) => {
  test('recovers from a syntax error with the next save, and names the place', async () => {
    const run = await DevRun.start({ 'server.ts': toolsServer({ greet: 'one' }) }, { transport });
    const client = await run.connect();
    await run.save(broken);
    const { error } = await run.next('failed');
    expect(error.stack).toMatch(/server\.ts:2:\d+/);
    await expect(client.callTool('greet')).rejects.toThrow(/The server does not start: .*server\.ts:2/s);
    expect(await run.next('call')).toMatchObject({ name: 'greet', outcome: 'no-server' });
    await run.save(toolsServer({ greet: 'two' }));
    await run.next('reloaded');
    expect(textOf((await client.callTool('greet')).content)).toBe('two');
  });

  test('answers a client at once with the reason when the server did not start', async () => {
    const run = await DevRun.start({ 'server.ts': broken }, { transport });
    await expect(run.connect({ revision: '2025-11-25' })).rejects.toThrow(
      /The server does not start: .*server\.ts:2/s,
    );
    expect(run.events.map(({ type }) => type)).toContain('failed');
    // Over stdio the program ends with its client.
    if (transport === 'stdio') return run.server.closed;
    await run.save(toolsServer({ greet: 'one' }));
    await run.next('started');
  });

  test('lets a running call end at the server that it began at', async () => {
    const files = { 'server.ts': toolsServer({ greet: 'one' }, slow) };
    const run = await DevRun.start(files, { transport, bounds: { callTime: 60_000 } });
    const client = await run.connect();
    const call = client.callTool('slow');
    await nextOutput(run, 'slow runs');
    await run.save(toolsServer({ greet: 'two' }));
    await run.next('reloaded');
    expect(textOf((await client.callTool('greet')).content)).toBe('two');
    await run.save('', 'go');
    expect(textOf((await call).content)).toBe('slow is done');
  });

  test('answers a call that does not end in time with an error', async () => {
    const files = { 'server.ts': toolsServer({ greet: 'one' }, slow) };
    const run = await DevRun.start(files, { transport, bounds: { callTime: 50, stopTime: 50 } });
    const client = await run.connect();
    const call = client.callTool('slow');
    const outcome = expect(call).rejects.toThrow();
    await nextOutput(run, 'slow runs');
    await run.save(toolsServer({ greet: 'two' }));
    await outcome;
    expect(textOf((await client.callTool('greet')).content)).toBe('two');
  });

  test('restarts a server that crashes, and keeps its client', async () => {
    const crash =
      "server.tool('crash', {}, () => { setImmediate(() => { throw new Error('out of luck'); }); return new Promise<string>(() => {}); });";
    const run = await DevRun.start({ 'server.ts': toolsServer({ greet: 'one' }, crash) }, { transport });
    const client = await run.connect();
    await expect(client.callTool('crash')).rejects.toThrow(/ended before it answered/);
    const { error } = await run.next('error');
    expect(error.stack).toMatch(/out of luck\n.*server\.ts:4/);
    const { code } = await run.next('crashed');
    expect(code).toBe(1);
    expect(textOf((await client.callTool('greet')).content)).toBe('one');
  });

  test('ends with the last of several changes', async () => {
    const run = await DevRun.start({ 'server.ts': toolsServer({ greet: 'one' }) }, { transport });
    const client = await run.connect();
    const reload = run.server.reload();
    await run.save(toolsServer({ greet: 'two' }));
    await Promise.all([reload, run.server.reload()]);
    await run.save(toolsServer({ greet: 'three' }));
    while (textOf((await client.callTool('greet')).content) !== 'three') await run.next('reloaded');
  });

  test('reports the error of a handler with its place', async () => {
    const fail = "server.tool('fail', {}, (): string => { throw new TypeError('bad luck'); });";
    const run = await DevRun.start({ 'server.ts': toolsServer({}, fail) }, { transport });
    const client = await run.connect();
    expect((await client.callTool('fail')).isError).toBe(true);
    const { where, error } = await run.next('error');
    expect(where).toContain('fail');
    expect(error.stack).toMatch(/TypeError: bad luck\n.*server\.ts:4:/);
    const event = await run.next('call');
    expect(event).toMatchObject({
      client: 'tester',
      method: 'tools/call',
      name: 'fail',
      outcome: 'tool-error',
    });
  });
});

describe('tenon dev', () => {
  test('rejects a port that is taken, and takes the next free one without --port', async () => {
    const taken = createServer();
    taken.listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    await expect(DevRun.start({ 'server.ts': toolsServer({}) }, { port })).rejects.toThrow(
      `The port ${port} is taken.`,
    );
    taken.close();
    const [one, two] = [
      await DevRun.start({ 'server.ts': toolsServer({}) }),
      await DevRun.start({ 'server.ts': toolsServer({}) }),
    ];
    expect(one.server.url).not.toBe(two.server.url);
  });

  test('rejects a file that does not exist, and a command over HTTP', async () => {
    const start = (target: Parameters<typeof DevRun.start>[1]) => DevRun.start({}, target);
    await expect(start({ target: { kind: 'file', file: 'no.ts' } })).rejects.toThrow(
      'There is no file no.ts.',
    );
    await expect(start({ target: { kind: 'command', command: 'python', args: [] } })).rejects.toThrow(
      /stdio/,
    );
  });

  test('says how to export the server when the file creates none', async () => {
    const run = await DevRun.start({ 'server.ts': 'console.error("no server");\n' });
    expect(await run.next('failed')).toMatchObject({
      hint: expect.stringContaining('export default server'),
    });
  });
});

test('cancels the input requests of a server that is replaced over stdio', async () => {
  const ask = `import { z } from 'zod';
server.tool('ask', {}, async ({}, ctx) => {
  await ctx.elicit('name', { message: 'Your name?', schema: z.object({ name: z.string() }) });
  return 'answered';
});`;
  const files = { 'server.ts': toolsServer({ greet: 'one' }, ask) };
  const run = await DevRun.start(files, { transport: 'stdio', bounds: { callTime: 50 } });
  let cancelled = () => {};
  const wasCancelled = new Promise<void>((resolve) => {
    cancelled = resolve;
  });
  const client = await run.connect({
    revision: '2025-11-25',
    onElicit: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          cancelled();
          reject(signal.reason);
        });
      }),
  });
  const outcome = expect(client.callTool('ask')).rejects.toThrow(/was reloaded/);
  expect(await run.next('input')).toMatchObject({ method: 'elicitation/create', message: 'Your name?' });
  await run.save(toolsServer({ greet: 'two' }));
  await Promise.all([outcome, wasCancelled]);
  expect(textOf((await client.callTool('greet')).content)).toBe('two');
});
