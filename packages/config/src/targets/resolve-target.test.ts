import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientEnvironment } from '../clients/client-environment.js';
import { findServer } from '../servers/find-server.js';
import { type ConfiguredServers, problemText, summaryOf } from '../servers/parse-servers.js';
import { readServers, readServersOf } from '../servers/read-servers.js';
import { targetOf } from './resolve-target.js';

const reference = (name: string) => `$\{${name}}`;

let root: string;
let environment: ClientEnvironment;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'tenon-clients-')));
  // Paths of another platform cannot be opened here, so these tests use the one they run on.
  environment = { platform: process.platform, home: join(root, 'home'), cwd: join(root, 'work'), env: {} };
});

afterEach(() => rm(root, { recursive: true }));

async function write(path: string, content: string | object): Promise<string> {
  const file = path.startsWith('~/') ? join(environment.home, path.slice(2)) : join(environment.cwd, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** Reads all files, and returns one server as a target. */
async function target(name: string, values: Record<string, string> = {}): Promise<unknown> {
  return targetOf(findServer(name, await readServers(environment)), { environment, values });
}

/** Returns the servers as `client:name`. */
function namesIn({ servers }: ConfiguredServers): string[] {
  return servers.map(({ client, name }) => `${client}:${name}`);
}

describe('servers of clients', () => {
  it('come from all files, in the order of the clients', async () => {
    const entry = { command: 'x' };
    await write('.mcp.json', { mcpServers: { a: entry } });
    await write('~/.claude.json', {
      mcpServers: { b: entry },
      projects: { [environment.cwd]: { mcpServers: { c: entry } }, '/other': { mcpServers: { no: entry } } },
    });
    await write('.vscode/mcp.json', { servers: { d: entry } });
    await write('.cursor/mcp.json', { mcpServers: { e: entry } });
    await write('~/.cursor/mcp.json', { mcpServers: { f: entry } });
    await write('.codex/config.toml', '[mcp_servers.g]\ncommand = "x"\n');
    await write('~/.codex/config.toml', '[mcp_servers.h]\ncommand = "x"\n');
    await write('.gemini/settings.json', { theme: 1, mcpServers: { i: entry } });
    await write('~/.gemini/settings.json', { mcpServers: { j: entry } });
    await write('~/.mcp-inspector/mcp.json', { mcpServers: { k: entry } });
    await write('mcp.json', { mcpServers: { l: entry } });
    const all = await readServers(environment);
    expect(all.problems).toEqual([]);
    expect(namesIn(all)).toEqual([
      ...['claude-code:a', 'claude-code:c', 'claude-code:b', 'vscode:d', 'cursor:e', 'cursor:f'],
      ...['codex:g', 'codex:h', 'gemini:i', 'gemini:j', 'inspector:k', 'mcp.json:l'],
    ]);
    expect(all.servers.map(({ scope }) => scope).join(' ')).toBe(
      'project local user project project user project user project user user project',
    );
  });

  it('belong to the user in the home folder', async () => {
    await write('~/.cursor/mcp.json', { mcpServers: { a: { command: 'x' } } });
    const all = await readServers({ ...environment, cwd: environment.home });
    expect(all.servers).toMatchObject([{ name: 'a', scope: 'user' }]);
  });

  it('are filled in with variables, folders and defaults', async () => {
    await write('~/.cursor/mcp.json', {
      mcpServers: {
        all: {
          command: `${reference('userHome')}/bin/x`,
          args: [
            reference('workspaceFolder'),
            `a${reference('env:A')}b`,
            '$A',
            `${reference('workspaceFolderBasename')}${reference('/')}`,
          ],
          env: { B: reference('B:-two'), C: reference('C:-'), N: 3, F: false },
        },
      },
    });
    environment = { ...environment, env: { A: 'one' } };
    expect(await target('all', { D: 'three' })).toEqual({
      command: `${environment.home}/bin/x`,
      args: [environment.cwd, 'aoneb', '$A', `work${join('a', 'b')[1]}`],
      env: { B: 'two', C: '', N: '3', F: 'false', D: 'three' },
    });
  });

  it('of Gemini CLI are filled in with $NAME, and those of Codex are not', async () => {
    await write('~/.gemini/settings.json', {
      mcpServers: { g: { command: 'x', args: ['$A-$', reference('A')] } },
    });
    await write(
      '~/.codex/config.toml',
      `[mcp_servers.c]\ncommand = "x"\nargs = ["$A", "${reference('A')}"]\n`,
    );
    environment = { ...environment, env: { A: 'one' } };
    expect(await target('g')).toMatchObject({ args: ['one-$', 'one'] });
    expect(await target('c')).toMatchObject({ args: ['$A', reference('A')] });
  });

  it('of Codex and Goose get the variables that these pass on', async () => {
    await write(
      '~/.codex/config.toml',
      '[mcp_servers.c]\ncommand = "x"\nenv_vars = ["KEY"]\n[mcp_servers.c.env]\nA = "1"\n[mcp_servers.u]\nurl = "https://a.example/mcp"\nbearer_token_env_var = "KEY"\nhttp_headers = { "X-A" = "1" }\nenv_http_headers = { "X-B" = "KEY" }\n',
    );
    environment = { ...environment, env: { KEY: 'k' } };
    expect(await target('c')).toMatchObject({ env: { A: '1', KEY: 'k' } });
    expect(await target('u')).toEqual({
      url: 'https://a.example/mcp',
      headers: { authorization: 'Bearer k', 'x-a': '1', 'x-b': 'k' },
    });
  });

  it.each([
    [{ url: 'https://a.example' }, undefined],
    [{ type: 'http', url: 'https://a.example' }, undefined],
    [{ type: 'sse', url: 'https://a.example' }, 'sse'],
    [{ type: 'streamable-http', url: 'https://a.example' }, 'http'],
    [{ httpUrl: 'https://a.example' }, 'http'],
    [{ serverUrl: 'https://a.example' }, undefined],
  ])('with the entry %o have the transport %s', async (entry, type) => {
    await write('~/.cursor/mcp.json', { mcpServers: { a: entry } });
    expect(await target('a')).toEqual({ url: 'https://a.example', headers: {}, ...(type && { type }) });
  });

  it('of a project start in its folder, and others in the working folder of the process', async () => {
    await write('.vscode/mcp.json', { servers: { a: { command: 'x' }, b: { command: 'x', cwd: 'sub' } } });
    await write('~/.cursor/mcp.json', { mcpServers: { c: { command: 'x' } } });
    expect(await target('a')).toMatchObject({ cwd: environment.cwd });
    expect(await target('b')).toMatchObject({ cwd: join(environment.cwd, 'sub') });
    expect(await target('c')).not.toHaveProperty('cwd');
  });

  it('get the variables of an envFile', async () => {
    await write('.env', '# keys\nexport A=1\nB="two words"\nC=\n');
    const entry = { command: 'x', envFile: `${reference('workspaceFolder')}/.env`, env: { C: 'own' } };
    await write('.vscode/mcp.json', { servers: { a: entry, gone: { command: 'x', envFile: 'gone.env' } } });
    expect(await target('a')).toMatchObject({ env: { A: '1', B: 'two words', C: 'own' } });
    await expect(target('gone')).rejects.toThrow(`needs the file ${join(environment.cwd, 'gone.env')}`);
  });

  it('need values of inputs, which are not variables of the server', async () => {
    const entry = { command: 'x', env: { KEY: reference('input:the-key') } };
    await write('.vscode/mcp.json', {
      inputs: [{ id: 'the-key', type: 'promptString' }],
      servers: { a: entry },
    });
    await expect(target('a')).rejects.toMatchObject({ hint: 'Set it with --env the-key=VALUE' });
    expect(await target('a', { 'the-key': 'k', MORE: 'm' })).toMatchObject({ env: { KEY: 'k', MORE: 'm' } });
  });

  it('list the inputs that they need, with what the file says of them', async () => {
    const all = ['a', 'b', 'c'].map((id) => reference(`input:${id}`));
    await write('.vscode/mcp.json', {
      inputs: [
        { id: 'a', type: 'promptString', description: 'A key', password: true },
        { id: 'b', type: 'pickString', options: ['x', { label: 'Y', value: 'y' }, 3], default: 'x' },
        { id: 'other', type: 'promptString' },
      ],
      servers: { s: { command: 'x', args: all, env: { A: all[0] } }, t: { command: 'x' } },
    });
    const { servers } = await readServers(environment);
    expect(servers.map(({ inputs }) => inputs)).toEqual([
      [
        { id: 'a', isSecret: true, description: 'A key' },
        { id: 'b', isSecret: false, initial: 'x', choices: ['x', 'y'] },
        { id: 'c', isSecret: true },
      ],
      [],
    ]);
  });

  it('cannot be used where only the client knows a value', async () => {
    await write('~/.cursor/mcp.json', { mcpServers: { a: { command: reference('command:pick') } } });
    await expect(target('a')).rejects.toThrow(
      `needs ${reference('command:pick')}, which only its client knows`,
    );
  });

  it('with another scheme are rejected', async () => {
    await write('~/.cursor/mcp.json', { mcpServers: { a: { url: 'file:///etc/passwd' } } });
    await expect(target('a')).rejects.toThrow('does not begin with http:// or https://');
  });

  it('are shown without secrets', async () => {
    await write('~/.cursor/mcp.json', {
      mcpServers: {
        u: { url: 'https://ada:pw@a.example/mcp?key=secret', headers: { authorization: 'Bearer secret' } },
        c: { command: 'x', args: ['--token=abcdef0123456789abcdef', 'two words'], env: { KEY: 'secret' } },
      },
    });
    const { servers } = await readServers(environment);
    const shown = servers.map(summaryOf);
    expect(shown[0]).toBe('https://a.example/mcp');
    expect(shown[1]).toMatch(/^x --token=\S+ 'two words'$/);
    expect(shown.join(' ')).not.toMatch(/secret|pw|abcdef0123/);
  });
});

describe('files that cannot be used', () => {
  beforeEach(() => write('~/.gemini/settings.json', { mcpServers: { good: { command: 'x' } } }));

  it.each([
    ['garbage', 'hello', 1],
    ['a file that ends early', '{\n"mcpServers": {\n"a": {', 3],
    ['zeros', '\0\0\0\0', 1],
    ['a number', '17', 1],
    ['100,000 brackets', '['.repeat(100_000), 1],
  ])('are reported with their line, and the others are read: %s', async (_, text, line) => {
    const file = await write('~/.cursor/mcp.json', text);
    const all = await readServers(environment);
    expect(namesIn(all)).toEqual(['gemini:good']);
    expect(all.problems).toMatchObject([{ file, line }]);
  });

  it('are reported: too large, not UTF-8, a folder, and servers that are not an object', async () => {
    await write('~/.cursor/mcp.json', `{"a": "${'x'.repeat(4_194_304)}"}`);
    const codex = await write('~/.codex/config.toml', '');
    await writeFile(codex, Buffer.from([0x61, 0xff, 0xfe]));
    await mkdir(join(environment.cwd, '.mcp.json'), { recursive: true });
    await write('.vscode/mcp.json', { servers: ['x'] });
    const all = await readServers(environment);
    expect(namesIn(all)).toEqual(['gemini:good']);
    expect(all.problems.map(problemText).join('\n')).toMatch(
      /\.mcp\.json: is not a file\.\n.*: "servers" is not an object\.\n.*: has more than 4194304 bytes\.\n.*config\.toml: is not UTF-8\./s,
    );
  });

  it.runIf(process.platform !== 'win32')('are reported: a link to itself', async () => {
    const file = await write('~/.cursor/mcp.json', '{}');
    await rm(file);
    await symlink(file, file);
    expect((await readServers(environment)).problems).toMatchObject([{ message: 'cannot be read (ELOOP)' }]);
  });

  it.each([
    ['a text', 'x', 'it is not an object'],
    ['nothing', {}, 'it has neither a command nor a URL'],
    ['an unknown type', { type: 'ws', url: 'wss://a.example' }, 'the type "ws" is unknown'],
    ['a number as command', { command: 3 }, '"command" is not a text'],
    ['a text as args', { command: 'x', args: 'y' }, '"args" is not a list of texts'],
    ['a list as env', { command: 'x', env: ['A=1'] }, '"env" is not an object'],
    ['an object in env', { command: 'x', env: { A: {} } }, '"env.A" is not a text'],
    ['an empty command', { command: '' }, 'its command is empty'],
  ])('have entries that are reported, beside others: %s', async (_, entry, message) => {
    const file = await write('~/.cursor/mcp.json', { mcpServers: { bad: entry, fine: { command: 'x' } } });
    const all = await readServers(environment);
    expect(namesIn(all)).toEqual(['cursor:fine', 'gemini:good']);
    expect(all.problems).toEqual([{ file, server: 'bad', message }]);
    expect(() => findServer('bad', all)).toThrow(message);
  });

  it('have many servers: only the first 1,000 of a file are read', async () => {
    const entries = Array.from({ length: 1_001 }, (_, index) => [`s${index}`, { command: 'x' }]);
    await write('~/.cursor/mcp.json', { mcpServers: Object.fromEntries(entries) });
    const all = await readServers(environment);
    expect(all.servers).toHaveLength(1_001);
    expect(all.problems).toMatchObject([{ message: 'only the first 1000 of 1001 servers are read' }]);
  });

  it('contain names of members of objects: these are names like others', async () => {
    await write(
      '~/.cursor/mcp.json',
      '{"mcpServers":{"__proto__":{"command":"x"},"constructor":{"command":"y"}}}',
    );
    expect(await target('__proto__')).toMatchObject({ command: 'x' });
    expect(await target('constructor')).toMatchObject({ command: 'y' });
    await expect(target('toString')).rejects.toThrow('No server is named "toString"');
  });

  it.each([
    ['node', 'To start a server, write its command at the end: -- node ...'],
    [
      'node server.js --port 1',
      'To start a server, write its command at the end: -- node server.js --port 1',
    ],
    ['dist/main.js', 'To start the file, write: -- node dist/main.js'],
    ['src/server.ts', 'To start the file, write: -- npx tenon dev --stdio src/server.ts'],
    ['server.py', 'To start the file, write: -- python server.py'],
    ['my server.ts', "To start the file, write: -- npx tenon dev --stdio 'my server.ts'"],
    ['localhost:3000', 'For a URL, write: http://localhost:3000/mcp'],
    ['mcp.example.com/sse', 'For a URL, write: https://mcp.example.com/sse'],
  ])('have a hint for %s, which is not a name of a server', async (name, hint) => {
    await expect(target(name)).rejects.toMatchObject({ hint: expect.stringContaining(hint) });
  });

  it('have no hint for a name that could be one of a server', async () => {
    await expect(target('my-server')).rejects.toMatchObject({
      hint: expect.stringMatching(/^"tenon servers" lists the names/),
    });
  });

  it.runIf(process.platform !== 'win32')('are not symbolic links: those are read', async () => {
    const real = await write('~/dotfiles/cursor.json', { mcpServers: { linked: { command: 'x' } } });
    await mkdir(join(environment.home, '.cursor'));
    await symlink(real, join(environment.home, '.cursor', 'mcp.json'));
    expect(await target('linked')).toMatchObject({ command: 'x' });
  });
});

describe('a file that the user names', () => {
  it.each([
    ['list.json', '{"mcpServers":{"a":{"command":"x"}}}'],
    ['list.jsonc', '// mine\n{"servers":{"a":{"command":"x"}},}'],
    ['list.toml', '[mcp_servers.a]\ncommand = "x"\n'],
    ['list.yml', 'extensions:\n  a: { cmd: x, type: stdio }\n'],
    ['list.yaml', 'mcpServers:\n  a:\n    command: x\n'],
  ])('has any format: %s', async (name, text) => {
    const file = await write(name, text);
    for (const path of [name, file]) {
      const { servers } = await readServersOf(path, environment);
      expect(servers).toMatchObject([{ name: 'a', client: undefined, scope: 'user', file }]);
    }
  });

  it.each([
    ['gone.json', undefined, 'There is no file'],
    ['empty.json', '{}', 'contains no servers'],
    ['broken.json', '{', 'broken.json:1: '],
  ])('is rejected: %s', async (name, text, message) => {
    if (text !== undefined) await write(name, text);
    await expect(readServersOf(name, environment)).rejects.toMatchObject({
      message: expect.stringContaining(message),
    });
  });
});
