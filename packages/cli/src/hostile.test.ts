import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { auditFile } from '@tenon/mcp-host/node';
import type { DevEvent } from '@tenon/mcp-workbench/dev';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HomeFolder, homeFolder } from '../test/home-folder.js';
import { hostile, hostileProgram, serveHostile } from '../test/hostile-server.js';
import type { RunOptions } from '../test/run-tenon.js';
import { eventPrinter } from './commands/develop/dev.js';
import { createProgram } from './program.js';
import { Terminal } from './terminal/terminal.js';

const x = hostile('x');
const env = { CI: '1', NO_COLOR: '1' };
// Words that stand for the hostile server: its URL, and its program.
const url = 'URL';
const file = 'PROGRAM';
const stdio = ['--', process.execPath, file];
const old = ['--revision', '2025-11-25'];

let user: HomeFolder;
let serving: Awaited<ReturnType<typeof serveHostile>>;

/** A line of a command. */
interface Line {
  readonly words: readonly string[];
  readonly input?: string;
  /** Interrupts the command when stderr has this text. */
  readonly until?: string;
  /** Sends a request to the URL in this text of stderr before the interruption. */
  readonly request?: boolean;
  /** Programs read stdout: it has the messages of the server, or the bytes of a resource if it is a pipe. */
  readonly passesOn?: 'messages' | 'bytes';
}

const line = (...words: readonly string[]): Line => ({ words });
const initialize = `${JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: x, version: x } },
})}\n`;

/** Lines of every command. A command without lines fails the first test. */
const lines: Readonly<Record<string, readonly Line[]>> = {
  list: [
    line('list', url),
    line('list', url, '--all'),
    line('list', url, '--schema'),
    line('list', url, x),
    line('list', 'hostile', '--config', 'no.json'),
    line('list', '--record', 'list.jsonl', ...stdio),
  ],
  call: [
    ...['go', 'fail', 'broken', 'none', x].map((tool) => line('call', url, tool)),
    line('call', url, 'go', '--save-images', 'images'),
    line('call', url, 'go', '--no-check', '--output', 'all.txt'),
    line('call', url, x, '--dry-run'),
    line('call', url, 'task', '--task'),
    line('call', 'go', '--log', 'debug', '--progress', ...stdio),
  ],
  chat: [
    {
      words: ['chat', '--demo', url, '--allow', '*'],
      input: '/tools\ncall go\ncall fail\ncall broken\n/skills\n/servers\n/audit\n',
    },
    { words: ['chat', '--demo', url], input: 'call go\n' },
    line('chat', '--demo', '--server', 'claude-code:evil'),
  ],
  read: [
    { words: ['read', url, 'text://a'], passesOn: 'bytes' },
    { words: ['read', url, 'bytes://a'], passesOn: 'bytes' },
    line('read', url, 'none://a'),
  ],
  prompt: [line('prompt', url, 'ask'), line('prompt', url, x), line('prompt', url, 'none')],
  complete: [line('complete', url, 'ask', 'a=')],
  watch: [
    line('watch', '--until', '2', '--log', 'debug', ...stdio),
    line('watch', '--until', '3', '--task', x, url, '--for', '0.05'),
  ],
  'audit verify': [line('audit', 'verify', 'audit.jsonl'), line('audit', 'verify', 'broken.jsonl')],
  'audit show': [line('audit', 'show', 'audit.jsonl'), line('audit', 'show', 'broken.jsonl', '--user', x)],
  'tasks list': [line('tasks', 'list'), line('tasks', 'list', url, ...old)],
  'tasks get': [line('tasks', 'get', url, 'task-1', ...old)],
  'tasks watch': [line('tasks', 'watch', url, 'task-1', ...old)],
  'tasks result': [line('tasks', 'result', url, 'task-1', ...old)],
  'tasks resume': [line('tasks', 'resume', url, 'task-1', ...old)],
  'tasks answer': [line('tasks', 'answer', url, 'task-1', ...old)],
  'tasks cancel': [line('tasks', 'cancel', url, 'task-1', ...old)],
  app: [line('app', url), line('app', url, 'go'), line('app', url, 'fail')],
  skills: [
    line('skills', url),
    line('skills', url, '--verify'),
    line('skills', url, 'skill://go/SKILL.md'),
    line('skills', url, 'skill://no/SKILL.md'),
  ],
  // Its server is a process; its events are below.
  dev: [line('dev', `${x}.mjs`)],
  record: [
    { words: ['record', 'stdio.jsonl', '-v', ...stdio], input: initialize, passesOn: 'messages' },
    { words: ['record', 'http.jsonl', '-v', url], until: 'Connect clients to ', request: true },
  ],
  replay: [
    line('replay', 'recorded.jsonl', '--to', url),
    {
      words: ['replay', 'recorded.jsonl', '--stdio'],
      input: initialize.replace('2025-11-25', x),
      passesOn: 'messages',
    },
  ],
  diff: [line('diff', 'recorded.jsonl', 'URL'), line('diff', 'empty.json', url), line('diff', url, url)],
  lint: [
    ...['text', 'json', 'sarif', 'github'].map((format) => line('lint', url, '--format', format, '--notes')),
    line('lint', url, '--costs', '--call'),
  ],
  compat: [line('compat', url, '--notes', '--sources'), line('compat', '--notes', ...stdio)],
  doctor: [line('doctor', url), line('doctor', ...stdio)],
  bench: [
    line('bench', url, 'go', '--requests', '2', '--warmup', '0'),
    line('bench', url, 'broken', '--requests', '2', '--warmup', '0'),
  ],
  conformance: [line('conformance', url, '--node', process.execPath, '--no-download')],
  servers: [line('servers'), line('servers', '--config', 'servers.json')],
  install: [
    line('install', 'cursor', `claude-code:${x}`, '--name', 'a'),
    line('install', 'cursor', 'claude-code:evil', '--name', 'evil', '--yes'),
    line('install', 'cursor', '--link', 'claude-code:evil'),
    line('install', 'codex', 'claude-code:evil'),
    line('install', '--list'),
  ],
  uninstall: [line('uninstall', 'claude-code', 'evil', '--project')],
  login: [line('login', url), line('login', '--list'), line('login', 'claude-code:evil')],
  logout: [line('logout', url), line('logout', '--all')],
  types: [line('types', url), line('types', url, '--output', 'server.d.ts')],
  card: [
    ...['server.json', 'mcpb', 'card'].map((format) =>
      line('card', url, '--package', 'package', '--format', format, '--name', 'io.example/x'),
    ),
  ],
  'publish-check': [line('publish-check', 'package'), line('publish-check', 'package', ...stdio)],
  openapi: [line('openapi', 'api.json'), line('openapi', 'api.json', '--base-url', 'https://a.example')],
  completion: [line('completion', 'bash')],
};

const program = createProgram({
  terminal: new Terminal({
    input: process.stdin,
    output: process.stdout,
    error: process.stderr,
    env,
    cwd: '/',
  }),
  serverCommand: [],
  signal: new AbortController().signal,
});

/** Returns the commands that run something, with their subcommands. */
function commandsOf(command: Command, path: readonly string[] = []): [name: string, command: Command][] {
  if (command.commands.length === 0) return [[path.join(' '), command]];
  return command.commands.flatMap((one) => commandsOf(one, [...path, one.name()]));
}

const commands = new Map(commandsOf(program));

/** The lines with their command, and with a title in which nothing is hidden. */
const titled = [...commands].flatMap(([name, command]) =>
  (lines[name] ?? []).map((one) => {
    const words = one.words.map((word) =>
      word === process.execPath ? 'node' : word.replaceAll(x, 'HOSTILE'),
    );
    return [words.join(' '), one, command] as const;
  }),
);

/** Returns a line with the option `--json`, if its command has that option. */
function asJson(one: Line, { options }: Command): readonly Line[] {
  const { words } = one;
  if (words.includes('--json') || !options.some(({ long }) => long === '--json')) return [];
  const at = words.includes('--') ? words.indexOf('--') : words.length;
  return [{ ...one, words: [...words.slice(0, at), '--json', ...words.slice(at)] }];
}

beforeAll(async () => {
  user = await homeFolder();
  serving = await serveHostile();
  const manifest = {
    name: x,
    version: x,
    description: x,
    author: x,
    bin: { [x]: x },
    mcpName: x,
    license: x,
  };
  await user.write('package/package.json', manifest);
  await user.write('package/server.json', {
    name: x,
    description: x,
    version: x,
    packages: [{ identifier: x }],
  });
  await user.write('package/manifest.json', { name: x, server: { type: x } });
  await user.write('hostile.cjs', hostileProgram);
  await user.write('no.json', `{"mcpServers": ${x}`);
  const evil = { command: 'node', args: [x], env: { [x]: x, API_TOKEN: x } };
  await user.write('.mcp.json', {
    mcpServers: { evil, [x]: evil, broken: { command: [x] }, [`${x}2`]: { url: x } },
  });
  await user.write('servers.json', { mcpServers: { [x]: { url: `http://a/${x}` } } });
  const operation = {
    operationId: x,
    summary: x,
    description: x,
    tags: [x],
    responses: { 200: { description: x } },
  };
  await user.write('api.json', {
    openapi: '3.1.0',
    info: { title: x, version: x },
    servers: [{ url: `https://${x}` }],
    paths: { [`/${x}`]: { get: operation, delete: { ...operation, deprecated: true } } },
  });
  await user.write('empty.json', {});
  const audit = auditFile(join(user.project, 'audit.jsonl'));
  const origin = { way: 'model', user: x, turn: x, callId: x } as const;
  const decision = { decision: 'allow', decidedBy: 'policy', reason: x, outcome: 'failed' } as const;
  const record = { id: x, time: 0, kind: 'tool', server: x, name: x, input: { [x]: x } } as const;
  for (let times = 0; times < 2; times++) await audit.append({ ...record, ...origin, ...decision });
  await audit.close();
  const log = await readFile(join(user.project, 'audit.jsonl'), 'utf8');
  await user.write('broken.jsonl', log.replace('"time":0', '"time":1'));
  const suite = 'node_modules/@modelcontextprotocol/conformance';
  await mkdir(join(user.project, suite), { recursive: true });
  await user.write(`${suite}/package.json`, { version: x, bin: { conformance: 'index.cjs' } });
  await user.write(
    `${suite}/index.cjs`,
    `console.log(${JSON.stringify(x)}); console.error(${JSON.stringify(x)});`,
  );
  const recorded = ['call', '--record', 'recorded.jsonl', url, 'broken'];
  await user.run(recorded.map(meant), { env });
});

afterAll(async () => {
  await serving.close();
  await user.remove();
});

/** Returns a word of a line with the server that it stands for. */
function meant(word: string): string {
  if (word === file) return join(user.project, 'hostile.cjs');
  return word === url ? serving.url : word;
}

async function run({ words, input, until, request }: Line, tty: boolean) {
  const ending = new AbortController();
  let isDone = false;
  const onStderr = (stderr: string) => {
    const at = until === undefined || isDone ? -1 : stderr.indexOf(until);
    const [proxy] = at === -1 ? [] : (/http:\S+/.exec(stderr.slice(at)) ?? ['']);
    if (proxy === undefined) return;
    isDone = true;
    if (request !== true) return ending.abort();
    const sent = fetch(proxy, { method: 'POST', body: initialize, headers: { accept: 'application/json' } });
    void sent.then((response) => response.text()).finally(() => ending.abort());
  };
  const options: RunOptions = {
    env,
    tty,
    signal: ending.signal,
    onStderr,
    ...(input !== undefined && { input }),
  };
  return user.run(words.map(meant), options);
}

/** Returns the characters of a text that a terminal obeys or hides, but for those that remove our own status line. */
function obeyed(text: string): string[] {
  const own = text.replaceAll('\r\u001b[K', '');
  return [...own].filter(
    (one) => /[\p{Cc}\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u.test(one) && !/[\t\n]/.test(one),
  );
}

describe('a hostile server, project or package', () => {
  it('has a line for every command', () => {
    expect(Object.keys(lines).sort()).toEqual([...commands.keys()].sort());
  });

  it.each(titled)('cannot control the terminal of tenon %s', async (_, line, command) => {
    const outcomes = [await run(line, true)];
    // A pipe and a terminal differ in the program only, so lines that start a process are run once less.
    if (line.passesOn !== 'bytes' && !line.words.includes(file)) outcomes.push(await run(line, false));
    for (const json of asJson(line, command)) outcomes.push(await run(json, false));
    for (const { stdout, stderr } of outcomes) {
      if (line.passesOn !== 'messages') expect(obeyed(stdout)).toEqual([]);
      expect(obeyed(stderr)).toEqual([]);
      expect(stdout + stderr).not.toBe('');
    }
  });

  it('cannot control the terminal of tenon dev', () => {
    const target = { kind: 'file', file: `${x}.mjs`, args: [] } as const;
    for (const json of [true, undefined]) {
      const output = new PassThrough();
      const terminal = new Terminal({ input: output, output, error: output, env, cwd: '/' });
      const printer = eventPrinter(terminal, { target, ...(json && { json }) });
      const print = (event: DevEvent) => printer.print(event);
      const error = { name: x, message: `${x}\n${x}`, stack: `${x}\n    at ${x} (/a/${x}.mjs:1:1)` };
      const changes = [{ list: 'tools', added: [x], removed: [x], changed: [x] }] as const;
      print({ type: 'listening', url: `http://a/${x}` });
      print({ type: 'reloaded', ms: 1, files: [x], changes });
      print({ type: 'failed', error, hint: x });
      print({ type: 'call', client: x, method: x, name: x, ms: 1, outcome: 'error', message: x });
      print({ type: 'input', client: x, method: x, message: x });
      print({ type: 'log', level: 'error', logger: x, data: { [x]: x } });
      print({ type: 'error', where: x, error });
      print({ type: 'output', line: x });
      print({ type: 'note', message: x });
      for (const method of [x, `${x}/list`])
        print({ type: 'call', client: x, method, ms: 1, outcome: 'no-server', message: x });
      printer.end();
      expect(obeyed(String(output.read()))).toEqual([]);
    }
  });

  it('cannot smuggle a colour between those of the program', () => {
    const output = Object.assign(new PassThrough(), { isTTY: true });
    const terminal = new Terminal({ input: output, output, error: output, env: {}, cwd: '/' });
    terminal.print(`${terminal.paint('red', `a${x}`)} ${terminal.paint(['bold', 'cyan'], '')}`);
    expect(String(output.read())).toBe('\u001b[31max2Jx\u001b[39m \u001b[1m\u001b[36m\u001b[39m\u001b[22m\n');
  });
});
