import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { textOf } from '@tenon/mcp-client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DevRun, inFactory, project, tenon, toolsServer } from './dev-project.js';

/** A server without any library: it answers with the text of its file, which changes. */
const bare = (answer: string, tools: readonly string[]) => `
import { createInterface } from 'node:readline';
const tools = ${JSON.stringify(tools)}.map((name) => ({ name, inputSchema: { type: 'object' } }));
const write = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') write({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'bare', version: '1' } } });
  else if (method === 'tools/list') write({ id, result: { tools } });
  else if (method === 'tools/call') write({ id, result: { content: [{ type: 'text', text: ${JSON.stringify(answer)} }] } });
  else if (id !== undefined) write({ id, error: { code: -32601, message: 'Method not found' } });
}).on('close', () => process.exit());
`;

/** The command line in a process of its own, and the lines that it prints. */
class CliProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #notes: AsyncIterator<string>;

  constructor(cwd: string, words: readonly string[]) {
    this.child = spawn(process.execPath, [tenon, 'dev', ...words], { cwd, stdio: 'pipe' });
    this.#lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
    this.#notes = createInterface({ input: this.child.stderr })[Symbol.asyncIterator]();
    onTestFinished(() => {
      this.child.kill('SIGKILL');
    });
  }

  async message(): Promise<Record<string, unknown>> {
    return JSON.parse((await this.#lines.next()).value);
  }

  /** Returns the next line on stderr that contains a text. */
  async note(text: string): Promise<string> {
    for (;;) {
      const { value, done } = await this.#notes.next();
      if (done === true) throw new Error(`ended without ${text}`);
      if (value.includes(text)) return value;
    }
  }

  send(message: object): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}

describe('tenon dev with a file', () => {
  const ends = (end: string) => (text: string) => text.replace('export default server;', end);
  test.each([
    ['exports it as server', ends('export { server };')],
    [
      'serves stdio',
      ends("import { serveStdio } from '@tenon/mcp-server/stdio';\nawait serveStdio(server);"),
    ],
    [
      'serves HTTP',
      ends("import { serveHttp } from '@tenon/mcp-server/http';\nawait serveHttp(server, { port: 1 });"),
    ],
    ['only creates it', ends('')],
    ['exports a function that returns it', inFactory],
  ])('runs a server that %s, over both transports', async (_, written) => {
    const text = written(toolsServer({ greet: 'one' }));
    for (const transport of ['http', 'stdio'] as const) {
      const run = await DevRun.start({ 'server.ts': text }, { transport });
      const client = await run.connect();
      expect(textOf((await client.callTool('greet')).content)).toBe('one');
    }
  });

  test('keeps the path of serveHttp, and gives the program the URL for clients', async () => {
    const end =
      "import { serveHttp } from '@tenon/mcp-server/http';\nconst serving = await serveHttp(server, { path: '/api' });\nconsole.log('at', serving.url);";
    const run = await DevRun.start({ 'server.ts': toolsServer({ greet: 'one' }, end) });
    expect(run.server.url).toMatch(/\/api$/);
    expect(await run.next('output')).toMatchObject({ line: `at ${run.server.url}` });
    await run.connect();
  });

  test('reloads when an imported file or one of --watch changes', async () => {
    const more = "import { text } from './text.js';\nserver.tool('text', {}, () => text);";
    const files = {
      'server.ts': toolsServer({}, more),
      'text.ts': "export const text = 'one';",
      'data.csv': 'a',
    };
    const run = await DevRun.start(files, { watch: ['*.csv'] });
    const client = await run.connect();
    await run.save("export const text = 'two';", 'text.ts');
    expect((await run.next('reloaded')).files).toEqual(['text.ts']);
    expect(textOf((await client.callTool('text')).content)).toBe('two');
    await run.save('b', 'data.csv');
    expect((await run.next('reloaded')).files).toEqual(['data.csv']);
  });

  test('reloads a server that also listens at a port of its own', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    free.close();
    await once(free, 'close');
    const more = `import { createServer as listen } from 'node:http';\nlisten().listen(${port}, '127.0.0.1');`;
    const late = `${more}\nawait new Promise((resolve) => setImmediate(resolve));`;
    const run = await DevRun.start({ 'server.ts': toolsServer({ greet: 'one' }, late) });
    const client = await run.connect();
    await run.save(toolsServer({ greet: 'two' }, late));
    await run.next('reloaded');
    expect(textOf((await client.callTool('greet')).content)).toBe('two');
    expect(run.events.filter(({ type }) => type === 'failed')).toEqual([]);
  });

  test('passes the variables of --env-file, and those of the next save', async () => {
    const more = "server.tool('name', {}, (): string => process.env.GREETER ?? '');";
    const files = { 'server.ts': toolsServer({}, more), '.env': 'GREETER=Ada\n' };
    const run = await DevRun.start(files, { envFile: '.env' });
    const client = await run.connect();
    expect(textOf((await client.callTool('name')).content)).toBe('Ada');
    await run.save('GREETER=Bob\n', '.env');
    await run.next('reloaded');
    expect(textOf((await client.callTool('name')).content)).toBe('Bob');
  });
});

describe('tenon dev with a command', () => {
  test('announces the changed tools of a server without a library', async () => {
    const target = { kind: 'command', command: process.execPath, args: ['bare.mjs'] } as const;
    const run = await DevRun.start({ 'bare.mjs': bare('one', ['a']) }, { target, transport: 'stdio' });
    const client = await run.connect({ revision: '2025-06-18' });
    expect(textOf((await client.callTool('a')).content)).toBe('one');
    const changed = new Promise((resolve) => void client.watch({ tools: true }, resolve));
    await run.save(bare('two', ['a', 'b']), 'bare.mjs');
    const { changes } = await run.next('reloaded');
    expect(changes).toEqual([{ list: 'tools', added: ['b'], removed: [], changed: [] }]);
    expect(await changed).toEqual({ kind: 'tools' });
    expect(textOf((await client.callTool('a')).content)).toBe('two');
  });
});

describe('the process of tenon dev', () => {
  test('relays raw messages, repeats settings after a reload, and ends with its client', async () => {
    const folder = await project({ 'server.ts': toolsServer({ greet: 'one' }) });
    const cli = new CliProcess(folder, ['--stdio', 'server.ts', '--json']);
    const clientInfo = { name: 'raw', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    cli.send({ id: 0, method: 'initialize', params });
    expect(await cli.message()).toMatchObject({ id: 0, result: { serverInfo: { name: 'developed' } } });
    cli.send({ method: 'notifications/initialized' });
    cli.send({ id: 'level', method: 'logging/setLevel', params: { level: 'debug' } });
    expect(await cli.message()).toMatchObject({ id: 'level', result: {} });
    const logs = "server.tool('log', {}, ({}, ctx) => { ctx.log('debug', 'a detail'); return 'logged'; });";
    await writeFile(join(folder, 'server.ts'), toolsServer({}, logs));
    await cli.note('"reloaded"');
    expect(await cli.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
    cli.send({ id: 1, method: 'tools/call', params: { name: 'log' } });
    expect(await cli.message()).toMatchObject({
      method: 'notifications/message',
      params: { data: 'a detail' },
    });
    expect(await cli.message()).toMatchObject({ id: 1, result: { content: [{ text: 'logged' }] } });
    cli.send({ id: 1.5, method: 'tools/list' });
    cli.child.stdin.write('{"broken\n');
    const error = expect.objectContaining({ code: -32700 });
    expect(await cli.message()).toMatchObject({ error });
    cli.child.stdin.end();
    expect(await once(cli.child, 'close')).toEqual([0, null]);
  });

  test.each([
    ['is interrupted', 'SIGINT', [130, null]],
    ['is killed', 'SIGKILL', [null, 'SIGKILL']],
  ] as const)('leaves no process behind when it %s', async (_, signal, end) => {
    // The server holds a connection until its process ends.
    const witness = createServer();
    witness.listen(0, '127.0.0.1');
    onTestFinished(() => void witness.close());
    await once(witness, 'listening');
    const { port } = witness.address() as AddressInfo;
    const held = `connect(${port}, '127.0.0.1');`;
    const text = toolsServer({ greet: 'one' }, `import { connect } from 'node:net';\n${held}`);
    const cli = new CliProcess(await project({ 'server.ts': text }), ['server.ts']);
    const [[socket]] = await Promise.all([once(witness, 'connection'), cli.note('http://')]);
    const gone = once(
      socket.resume().on('error', () => {}),
      'close',
    );
    cli.child.kill(signal);
    expect(await once(cli.child, 'close')).toEqual(end);
    await gone;
  });
});
