import { existsSync } from 'node:fs';
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HomeFolder, homeFolder } from '../../test/home-folder.js';

let user: HomeFolder;
let serving: Awaited<ReturnType<typeof serveHttp>>;

beforeEach(async () => {
  user = await homeFolder();
  serving = await serveHttp(
    createServer({ name: 'notes', version: '1.0.0' }).tool('greet', {}, () => 'Hello'),
  );
});

afterEach(async () => {
  await serving.close();
  await user.remove();
});

/** Returns a reference as files write it. */
function reference(name: string): string {
  return `$\{${name}}`;
}

/** An entry that creates a file when it is started, and ends. */
function marking(file: string) {
  const script = 'require("node:fs").writeFileSync(process.argv[1], process.env.GREETING ?? "")';
  return { command: process.execPath, args: ['-e', script, file] };
}

describe('a server by name', () => {
  it.each([
    ['Cursor', '~/.cursor/mcp.json', () => ({ mcpServers: { notes: { url: serving.url } } })],
    ['VS Code', '.vscode/mcp.json', () => ({ servers: { notes: { type: 'http', url: serving.url } } })],
    ['Codex', '~/.codex/config.toml', () => `[mcp_servers.notes]\nurl = "${serving.url}"\n`],
    [
      'Goose',
      process.platform === 'win32'
        ? '~/AppData/Roaming/Block/goose/config/config.yaml'
        : '~/.config/goose/config.yaml',
      () => `extensions:\n  notes: { type: streamable_http, uri: "${serving.url}" }\n`,
    ],
  ])('is found in the file of %s', async (_, file, content) => {
    await user.write(file, content());
    const { code, stdout, stderr } = await user.run(['list', 'notes', '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ tools: [{ name: 'greet' }] });
  });

  it('is a file when there is one, with spaces too', async () => {
    await user.write('my server (old).js', '');
    const { stderr } = await user.run(['list', 'my server (old).js']);
    expect(stderr).not.toContain('No server is named');
    expect(stderr).toContain('Could not start');
  });

  it('is suggested once when several clients have it', async () => {
    const servers = { 'my-notes': { url: serving.url } };
    await user.write('~/.cursor/mcp.json', { mcpServers: servers });
    await user.write('.vscode/mcp.json', { servers });
    const { stderr } = await user.run(['list', 'my-ntes']);
    expect(
      stderr
        .match(/Did you mean (.*)\?/)?.[1]
        ?.split(' or ')
        .filter((name) => name === 'my-notes'),
    ).toEqual(['my-notes']);
  });

  it('is suggested when the name is misspelt', async () => {
    await user.write('~/.cursor/mcp.json', { mcpServers: { 'my-notes': { url: serving.url } } });
    const { code, stderr } = await user.run(['list', 'my-ntes']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: No server is named "my-ntes"\.\nhint: Did you mean my-notes\?/);
  });

  it('lists the candidates when the name means several servers, and accepts one of them', async () => {
    await user.write('~/.cursor/mcp.json', { mcpServers: { notes: { url: serving.url } } });
    await user.write('~/.gemini/settings.json', {
      mcpServers: { notes: { httpUrl: 'http://127.0.0.1:1/' } },
    });
    const { code, stderr } = await user.run(['list', 'notes']);
    expect(code).toBe(1);
    expect(stderr).toContain(`"notes" means 2 different servers:
  cursor:notes  ${join(user.home, '.cursor', 'mcp.json')}
  gemini:notes  ${join(user.home, '.gemini', 'settings.json')}`);
    expect((await user.run(['list', 'cursor:notes'])).code).toBe(0);
  });

  it('is one server when several clients have the same', async () => {
    await user.write('~/.cursor/mcp.json', { mcpServers: { notes: { url: serving.url } } });
    await user.write('~/.claude.json', { mcpServers: { notes: { type: 'http', url: serving.url } } });
    expect((await user.run(['list', 'notes'])).code).toBe(0);
  });

  it('is looked up in one file with --config only', async () => {
    await user.write('~/.cursor/mcp.json', { mcpServers: { notes: { url: 'http://127.0.0.1:1/' } } });
    await user.write('other/list.jsonc', `{ "mcpServers": { "notes": { "url": "${serving.url}" }, } }`);
    expect((await user.run(['list', 'notes', '--config', 'other/list.jsonc'])).code).toBe(0);
    const missing = await user.run(['list', 'notes', '--config', 'gone.json']);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no file ') });
  });

  it('reports a broken file when the name is not found', async () => {
    const file = await user.write('~/.cursor/mcp.json', '{\n  "mcpServers": {\n');
    const { code, stderr } = await user.run(['list', 'notes']);
    expect(code).toBe(1);
    expect(stderr).toContain(`A file could not be read: ${file}:`);
  });
});

describe('references', () => {
  let web: Server;
  let headers: Record<string, unknown>[];

  beforeEach(async () => {
    headers = [];
    web = createHttpServer((request, response) => {
      headers.push(request.headers);
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/`;
    const entry = {
      url,
      headers: { 'X-Key': reference('env:NOTES_KEY'), 'X-Input': reference('input:the-input') },
    };
    await user.write('~/.cursor/mcp.json', { mcpServers: { notes: entry } });
  });

  afterEach(() => new Promise((resolve) => web.close(resolve)));

  it('are filled in from the environment and --env', async () => {
    await user.run(['list', 'notes', '--env', 'the-input=two'], { env: { NOTES_KEY: 'one' } });
    expect(headers[0]).toMatchObject({ 'x-key': 'one', 'x-input': 'two' });
  });

  it.each([
    [{}, 'needs the variable NOTES_KEY, which is not set.', '--env NOTES_KEY=VALUE'],
    [{ NOTES_KEY: 'one' }, 'needs the input "the-input".', '--env the-input=VALUE'],
  ])('without a value name the option, with the environment %o', async (env, problem, hint) => {
    const { code, stderr } = await user.run(['list', 'notes'], { env });
    expect(code).toBe(1);
    expect(stderr).toContain(problem);
    expect(stderr).toContain(hint);
    expect(headers).toEqual([]);
  });
});

describe('a server from a file of the project', () => {
  let mark: string;

  beforeEach(async () => {
    mark = join(user.home, 'started');
    await user.write('.mcp.json', { mcpServers: { tool: marking(mark) } });
  });

  it('is not started without a terminal, but with --trust', async () => {
    const { code, stderr } = await user.run(['list', 'tool']);
    expect(code).toBe(1);
    expect(stderr).toContain(
      '"claude-code:tool" comes from a file of this project, and was not approved yet:',
    );
    expect(stderr).toContain(
      `'require("node:fs").writeFileSync(process.argv[1], process.env.GREETING ?? "")' ${mark}`,
    );
    expect(stderr).toContain('add --trust');
    expect(existsSync(mark)).toBe(false);
    expect((await user.run(['list', 'tool', '--trust'])).code).toBe(4);
    expect(existsSync(mark)).toBe(true);
  });

  it('is shown with the number of spaces where many could hide a word', async () => {
    const entry = { command: process.execPath, args: ['-e', `${' '.repeat(3_000)}evil()`] };
    await user.write('.mcp.json', { mcpServers: { tool: entry } });
    const { stderr } = await user.run(['list', 'tool']);
    expect(stderr).toContain(`-e ' (3000 spaces) evil()'`);
  });

  it('is not approved at a prompt that cannot show it whole', async () => {
    const entry = { command: process.execPath, args: ['-e', `/* ${'x'.repeat(5_000)} */ evil()`] };
    await user.write('.mcp.json', { mcpServers: { tool: entry } });
    const { code, stderr } = await user.run(['list', 'tool'], { tty: true, input: 'y' });
    expect(code).toBe(1);
    expect(stderr).toContain('is too long to be shown');
    expect(stderr).toMatch(/Read .*\.mcp\.json, and add --trust if you approve it\./);
    expect(stderr).not.toContain('xxxxx');
  });

  it('is started after the user agreed, without a second prompt until the entry changes', async () => {
    const { code, stderr } = await user.run(['list', 'tool'], { tty: true, input: 'y' });
    expect(code).toBe(4);
    expect(stderr).toContain('Start this command with your permissions?');
    expect((await user.run(['list', 'tool'])).code).toBe(4);
    await user.write('.mcp.json', { mcpServers: { tool: { ...marking(mark), env: { GREETING: 'x' } } } });
    expect((await user.run(['list', 'tool'])).code).toBe(1);
  });

  it('needs consent again when its file of variables has changed', async () => {
    const entry = { ...marking(mark), envFile: reference('workspaceFolder').concat('/.env') };
    await user.write('.vscode/mcp.json', { servers: { other: entry } });
    await user.write('.env', 'GREETING=hello\n');
    const { stderr } = await user.run(['list', 'other'], { tty: true, input: 'y' });
    expect(stderr).toContain('/.env: GREETING');
    await rm(mark);
    expect((await user.run(['list', 'other'])).code).toBe(4);
    await rm(mark);
    await user.write('.env', 'GREETING=hello\nNODE_OPTIONS=--require=./evil.cjs\n');
    expect((await user.run(['list', 'other'])).code).toBe(1);
    expect(existsSync(mark)).toBe(false);
    await user.write('.env', '# a comment\nGREETING=hello\n');
    expect((await user.run(['list', 'other'])).code).toBe(4);
  });

  it('needs consent again when a variable of its command has another value, but not for --env', async () => {
    const entry = { ...marking(mark), command: reference('PROGRAM'), env: { GREETING: reference('WORD') } };
    await user.write('.mcp.json', { mcpServers: { tool: entry } });
    const env = { PROGRAM: process.execPath };
    const words = (word: string) => ['list', 'tool', '--env', `WORD=${word}`];
    expect((await user.run(words('a'), { tty: true, input: 'y', env })).code).toBe(4);
    expect((await user.run(words('b'), { env })).code).toBe(4);
    expect((await user.run(words('b'), { env: { PROGRAM: '/bin/false' } })).code).toBe(1);
    expect((await user.run(['list', 'tool'], { env: { ...env, WORD: 'a' } })).code).toBe(1);
  });

  it('needs consent after it was copied to a file of the user, and after a copy of the copy', async () => {
    await user.run(['install', 'cursor', 'claude-code:tool', '--yes']);
    await user.run(['install', 'gemini', 'cursor:tool', '--name', 'again', '--yes']);
    for (const name of ['cursor:tool', 'again']) {
      const { code, stderr } = await user.run(['list', name]);
      expect(code).toBe(1);
      expect(stderr).toContain('was copied from a file of a project, and was not approved yet:');
    }
    expect(existsSync(mark)).toBe(false);
    expect((await user.run(['list', 'again'], { tty: true, input: 'y' })).code).toBe(4);
    expect((await user.run(['list', 'again'])).code).toBe(4);
  });

  it('needs no consent any more when the user has installed another server in place of the copy', async () => {
    const { stderr } = await user.run(['install', 'cursor', 'claude-code:tool', '--yes']);
    expect(stderr).toContain('the server is from a file of a project');
    const { command, args } = marking(mark);
    await user.run([
      'install',
      'cursor',
      '--name',
      'tool',
      '--force',
      '--yes',
      '--',
      command,
      ...args,
      'own',
    ]);
    expect((await user.run(['list', 'cursor:tool'])).code).toBe(4);
  });

  it.each(['n', '\r', '\u0003'])('is not started when the user answers %j', async (input) => {
    const { code, stderr } = await user.run(['list', 'tool'], { tty: true, input });
    expect(code).toBe(1);
    expect(stderr).toContain('"claude-code:tool" was not started.');
    expect(existsSync(mark)).toBe(false);
  });

  it.runIf(process.platform === 'linux')('is remembered in a file that only the user can write', async () => {
    await user.run(['list', 'tool'], { tty: true, input: 'y' });
    const file = join(user.home, '.config', 'tenon', 'trusted-servers.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await chmod(file, 0o666);
    const { code, stderr } = await user.run(['list', 'tool'], { tty: true, input: 'y' });
    expect(code).toBe(1);
    expect(stderr).toContain(`${file} is open to other users`);
    await rm(file);
    await writeFile(file, '{', { mode: 0o600 });
    const damaged = await user.run(['list', 'tool'], { tty: true, input: 'y' });
    expect(damaged.code).toBe(1);
    expect(damaged.stderr).toContain(`${file} is damaged`);
    expect(damaged.stderr).toContain('Move it to another place');
    expect(await readFile(file, 'utf8')).toBe('{');
  });

  it('gets no variables of the user without consent', async () => {
    const entry = { url: `${serving.url}?key=${reference('SECRET')}` };
    await user.write('.mcp.json', { mcpServers: { remote: entry, open: { url: serving.url } } });
    const { code, stderr } = await user.run(['list', 'remote'], { env: { SECRET: 'abc' } });
    expect(code).toBe(1);
    expect(stderr).toContain(`?key=${reference('SECRET')}`);
    expect(stderr).not.toContain('abc');
    expect((await user.run(['list', 'open'])).code).toBe(0);
  });

  it('cannot change the screen of the user', async () => {
    const entry = { command: 'sh', args: ['-c', 'evil\u001b[2K\u001b[1A\nsafe'] };
    await user.write('.mcp.json', { mcpServers: { 'na\u001b[31mme': entry } });
    const { stderr } = await user.run(['list', 'na\u001b[31mme'], { tty: true, input: 'n' });
    expect(stderr).toContain("sh -c 'evil\\nsafe'");
    expect(stderr).not.toContain('\u001b[31mme');
    expect(stderr).not.toContain('\u001b[2K\u001b[1A');
  });
});
