import { chmod, mkdir, readdir, readlink, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HomeFolder, homeFolder } from '../../../test/home-folder.js';

const reference = (name: string) => `$\{${name}}`;

let user: HomeFolder;

beforeEach(async () => {
  user = await homeFolder();
});

afterEach(() => user.remove());

describe('tenon install', () => {
  it('shows the change, and writes the file with --yes only', async () => {
    await user.write('src/server.ts', '');
    const dry = await user.run(['install', 'cursor', './src/server.ts']);
    expect(dry).toEqual({
      code: 0,
      stdout: `~/.cursor/mcp.json (new file)
+ {
+   "mcpServers": {
+     "project": {
+       "command": "npx",
+       "args": [
+         "-y",
+         "tenon",
+         "dev",
+         "--stdio",
+         ${JSON.stringify(join(user.project, 'src', 'server.ts'))}
+       ]
+     }
+   }
+ }
`.replaceAll('~/.cursor/mcp.json', join('~', '.cursor', 'mcp.json')),
      stderr: `\nNothing was written. Add --yes to write ${join('~', '.cursor', 'mcp.json')}.\n`,
    });
    await expect(user.read('~/.cursor/mcp.json')).rejects.toThrow('ENOENT');
    const { code, stdout } = await user.run(['install', 'cursor', './src/server.ts', '--yes']);
    expect(code).toBe(0);
    expect(stdout).toContain('Restart Cursor if it is running.');
    expect(JSON.parse(await user.read('~/.cursor/mcp.json'))).toEqual({
      mcpServers: {
        project: {
          command: 'npx',
          args: ['-y', 'tenon', 'dev', '--stdio', join(user.project, 'src', 'server.ts')],
        },
      },
    });
    expect((await user.run(['install', 'cursor', './src/server.ts', '--yes'])).stdout).toBe(
      'Cursor has the server "project" already.\n',
    );
  });

  it.each([
    ['claude-code', '~/.claude.json'],
    ['vscode', '.vscode/mcp.json'],
    ['cursor', '.cursor/mcp.json'],
    ['codex', '~/.codex/config.toml'],
    ['gemini', '~/.gemini/settings.json'],
    ['inspector', '~/.mcp-inspector/mcp.json'],
    ['mcp.json', 'mcp.json'],
  ])('writes a server that tenon finds by name, and removes it again: %s', async (client, file) => {
    const before = file.endsWith('.toml') ? 'model = "o3" # mine\n' : '{\n  "other": [1, 2] // mine\n}\n';
    await user.write(file, before);
    const place = file.startsWith('~') ? [] : ['--project'];
    const words = ['--yes', '--name', 'notes', '--env', 'A=1', ...place, '--', 'node', '/srv/notes.js'];
    expect(await user.run(['install', client, ...words])).toMatchObject({ code: 0 });
    const { stdout } = await user.run(['servers', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      servers: [{ name: 'notes', client, summary: 'node /srv/notes.js', env: ['A'] }],
      problems: [],
    });
    expect(await user.run(['uninstall', client, 'notes', '--yes', ...place])).toMatchObject({ code: 0 });
    expect(await user.read(file)).toBe(before);
  });

  it('does not replace another server without --force', async () => {
    const before = '{"mcpServers":{"notes":{"command":"other"}}}';
    await user.write('~/.cursor/mcp.json', before);
    const words = ['install', 'cursor', 'https://notes.example/mcp', '--yes'];
    const { code, stderr } = await user.run(words);
    expect(code).toBe(1);
    expect(stderr).toContain('Cursor already has another server named "notes"');
    expect(await user.read('~/.cursor/mcp.json')).toBe(before);
    expect((await user.run([...words, '--force'])).code).toBe(0);
    expect(await user.read('~/.cursor/mcp.json')).toContain('https://notes.example/mcp');
  });

  it('never prints values of variables and headers, and warns of secrets in plain text', async () => {
    const words = [
      '--env',
      'API_KEY=my-value',
      '--env',
      `OTHER_KEY=${reference('OTHER_KEY')}`,
      '--',
      'npx',
      'notes',
    ];
    for (const more of [[], ['--json']]) {
      const { stdout, stderr } = await user.run(['install', 'claude-code', ...more, ...words]);
      expect(stdout + stderr).not.toContain('my-value');
      expect(stderr).toContain('warning: API_KEY is stored as plain text.');
      expect(stderr).not.toContain('OTHER_KEY is stored');
    }
  });

  it('prints the command of the client where it contains no values', async () => {
    const { stderr } = await user.run(['install', 'codex', '--', 'npx', '-y', 'notes']);
    expect(stderr).toContain('Or with Codex:\n  codex mcp add notes -- npx -y notes\n');
  });

  it('prints a link with --link', async () => {
    const { stdout } = await user.run(['install', 'cursor', 'https://notes.example/mcp', '--link']);
    expect(stdout).toMatch(/^cursor:\/\/\S+\n$/);
    const none = await user.run(['install', 'codex', 'https://notes.example/mcp', '--link']);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('Codex has no links') });
  });

  it('prints JSON with --json', async () => {
    const { stdout } = await user.run(['install', 'gemini', 'https://notes.example/mcp', '--json', '--yes']);
    expect(JSON.parse(stdout)).toMatchObject({
      client: 'gemini',
      name: 'notes',
      file: join(user.home, '.gemini', 'settings.json'),
      ...{ isNew: true, replaces: false, changes: true, written: true },
    });
  });

  it('copies a server from another client, with its references', async () => {
    await user.write('~/.cursor/mcp.json', {
      mcpServers: { notes: { url: 'https://notes.example/mcp', headers: { 'x-key': reference('env:KEY') } } },
    });
    await user.run(['install', 'gemini', 'cursor:notes', '--yes']);
    expect(JSON.parse(await user.read('~/.gemini/settings.json'))).toEqual({
      mcpServers: { notes: { httpUrl: 'https://notes.example/mcp', headers: { 'x-key': reference('KEY') } } },
    });
  });

  it('warns of a path that works in this folder only', async () => {
    await user.write('server.js', '');
    const { stderr } = await user.run(['install', 'cursor', '--', 'node', 'server.js']);
    expect(stderr).toContain(`Write ${join(user.project, 'server.js')} instead of server.js.`);
    const project = await user.run(['install', 'cursor', '--project', '--', 'node', 'server.js']);
    expect(project.stderr).not.toContain('instead of');
  });

  it.each([
    ['https://mcp.linear.app/mcp', 'linear'],
    ['http://localhost:3000/mcp', 'localhost-3000'],
    ['http://[::1]:3000/mcp', 'localhost-3000'],
    ['https://127.0.0.1:8443/', 'localhost-8443'],
    ['https://notes.example', 'notes'],
  ])('names the server of %s %s', async (url, name) => {
    expect(JSON.parse((await user.run(['install', 'cursor', url, '--json'])).stdout)).toMatchObject({ name });
  });

  it.each([
    [['npx', '-y', '@acme/server-notes@1.2.3', '--verbose'], 'server-notes'],
    [['uvx', 'mcp-notes'], 'mcp-notes'],
    [['docker', 'run', '-i', '--rm', 'ghcr.io/acme/notes:latest'], 'notes'],
    [['node', '/srv/notes/dist/server.js'], 'notes'],
    [['/usr/bin/notes-server'], 'notes-server'],
  ])('names the server of the command %j %s', async (command, name) => {
    const { stdout } = await user.run(['install', 'cursor', '--json', '--', ...command]);
    expect(JSON.parse(stdout)).toMatchObject({ name });
  });

  it('lists the clients and their files', async () => {
    await user.write('~/.cursor/mcp.json', '{}');
    const { stdout } = await user.run(['install', '--list']);
    expect(stdout).toMatch(/^cursor +user +found +~.\.cursor.mcp\.json$/m);
    expect(stdout).toMatch(/^ +project +missing +\..\.cursor.mcp\.json$/m);
    expect(JSON.parse((await user.run(['install', '--list', '--json'])).stdout).clients).toHaveLength(9);
  });

  it.each([
    ['no client', [], 'No client is named.'],
    ['an unknown client', ['cursr', 'https://a.example'], 'Did you mean cursor?'],
    ['no server', ['cursor'], 'No server is named.'],
    ['a missing file', ['cursor', 'gone.ts'], 'There is no file'],
    ['an unknown name', ['cursor', 'gone'], 'No server is named "gone"'],
    ['a broken URL', ['cursor', 'https://'], 'is not a valid URL'],
    ['a bad name', ['cursor', 'https://a.example', '--name', 'a b'], 'cannot be the name of a server'],
    ['variables for a URL', ['cursor', 'https://a.example', '--env', 'A=1'], 'has no variables'],
    [
      'a client without a file for projects',
      ['goose', 'https://a.example', '--project'],
      'no file for projects',
    ],
  ])('rejects %s', async (_, words, text) => {
    const { code, stderr, stdout } = await user.run(['install', ...words]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(text);
  });
});

describe.runIf(process.platform !== 'win32')('files of clients', () => {
  const words = ['install', 'cursor', 'https://notes.example/mcp', '--yes'];

  it('keep their mode and their symbolic link, and no other file is left', async () => {
    const real = await user.write('~/dotfiles/cursor.json', '{"mcpServers":{}}');
    await chmod(real, 0o640);
    const link = join(user.home, '.cursor', 'mcp.json');
    await mkdir(dirname(link));
    await symlink(real, link);
    expect((await user.run(words)).code).toBe(0);
    expect(await readlink(link)).toBe(real);
    expect((await stat(real)).mode & 0o777).toBe(0o640);
    expect(await readdir(dirname(real))).toEqual(['cursor.json']);
    expect(await user.read('~/dotfiles/cursor.json')).toContain('notes');
  });

  it('of the user are readable by them alone when they are new', async () => {
    await user.run(words);
    expect((await stat(join(user.home, '.cursor', 'mcp.json'))).mode & 0o777).toBe(0o600);
  });

  it('are reported when they cannot be written', async () => {
    await user.write('~/.cursor', 'a file in place of the folder');
    const { code, stderr } = await user.run(words);
    expect(code).toBe(1);
    expect(stderr).toMatch(/mcp\.json cannot be written \(E\w+\)\./);
  });

  it('that are broken are not changed', async () => {
    await user.write('~/.cursor/mcp.json', '{\n  "mcpServers": {\n');
    const { code, stderr } = await user.run(words);
    expect(code).toBe(1);
    expect(stderr).toMatch(/mcp\.json:\d+: .*\nhint: Nothing was written/);
    expect(await user.read('~/.cursor/mcp.json')).toBe('{\n  "mcpServers": {\n');
  });
});

describe('tenon uninstall', () => {
  it('shows the change, and rejects a name that is not there', async () => {
    const before =
      '{\n  "mcpServers": {\n    "a": { "command": "x" },\n    "b": { "command": "y" }\n  }\n}\n';
    await user.write('~/.cursor/mcp.json', before);
    const { code, stdout } = await user.run(['uninstall', 'cursor', 'b']);
    expect(code).toBe(0);
    expect(stdout).toContain('-     "b": {');
    expect(await user.read('~/.cursor/mcp.json')).toBe(before);
    expect(await user.run(['uninstall', 'cursor', 'c'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Cursor has no server named "c"'),
    });
  });
});
