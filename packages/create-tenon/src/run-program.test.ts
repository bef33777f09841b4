import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyFolder, runCreate } from '../test/run-create.js';

describe('create-tenon without a terminal', () => {
  it('creates a project with the defaults and prints the next commands', async () => {
    const { code, stdout, stderr, commands, cwd } = await runCreate([]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      `Created ${join(cwd, 'mcp-server')}: template stdio, 12 files.\n\nNext:\n  cd mcp-server\n  npm run dev\n`,
    );
    expect(commands).toEqual(['git rev-parse --is-inside-work-tree', 'git init --quiet', 'npm install']);
    expect(readdirSync(cwd)).toEqual(['mcp-server']);
    const manifest: unknown = JSON.parse(readFileSync(join(cwd, 'mcp-server/package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: 'mcp-server', dependencies: { '@tenon/mcp-server': '^1.0.0' } });
  });

  it('prints JSON', async () => {
    const { stdout, cwd } = await runCreate([
      'x',
      '--json',
      '--template',
      'http',
      '--no-install',
      '--no-git',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      folder: join(cwd, 'x'),
      name: 'x',
      template: 'http',
      packageManager: 'npm',
      files: expect.arrayContaining(['src/server.ts', 'test/server.test.ts', '.gitignore']),
      replaced: [],
      installed: false,
      git: false,
      next: ['cd x', 'npm install', 'npm run dev'],
    });
  });

  it.each([
    ['pnpm/10.34.8 npm/? node/v20.20.2 linux x64', 'pnpm'],
    ['yarn/1.22.22 npm/? node/v20.20.2 linux x64', 'yarn'],
    ['bun/1.4.5 npm/? node/v24.3.0 linux x64', 'bun'],
    ['npm/10.8.2 node/v20.20.2 linux x64', 'npm'],
    ['constructor/1', 'npm'],
  ])('uses the package manager of the user agent %s', async (agent, name) => {
    const { commands, stdout } = await runCreate(['x'], { env: { npm_config_user_agent: agent } });
    expect(commands.at(-1)).toBe(`${name} install`);
    expect(stdout).toContain(`  ${name} run dev\n`);
  });

  it('has the files that the README of a protected server names', async () => {
    const { cwd } = await runCreate(['x', '--template', 'http', '--auth', '--docker']);
    const readme = readFileSync(join(cwd, 'x/README.md'), 'utf8');
    const names = ['.env.example', 'src/serve.ts', 'src/server.ts', 'test/'];
    expect(names.filter((name) => !readme.includes(name))).toEqual([]);
    expect(names.filter((name) => !existsSync(join(cwd, 'x', name)))).toEqual([]);
  });

  it.each(['npm', 'pnpm', 'yarn', 'bun'])(
    'connects editors and agents to the server with %s',
    async (manager) => {
      const { cwd } = await runCreate(['x', '--package-manager', manager]);
      const read = (name: string) => readFileSync(join(cwd, 'x', name), 'utf8');
      const { x } = JSON.parse(read('.mcp.json')).mcpServers;
      const command = 'node node_modules/tenon/dist/main.js dev --stdio src/server.ts';
      expect([x.command, ...x.args].join(' ')).toBe(command);
      expect(JSON.parse(read('.vscode/mcp.json')).servers.x).toEqual({ type: 'stdio', ...x });
      expect(JSON.parse(read('.vscode/settings.json'))).toBeTypeOf('object');
      expect(read('AGENTS.md')).toContain(`${manager} run test`);
    },
  );

  it('copies the lockfile and installs before it copies the sources into an image', async () => {
    const { cwd } = await runCreate(['x', '--template', 'http', '--docker']);
    const lines = readFileSync(join(cwd, 'x/Dockerfile'), 'utf8').split('\n');
    const steps = ['COPY package.json package-lock.json* ./', 'RUN npm ci', 'COPY . .', 'RUN npm run build'];
    expect(lines.filter((line) => steps.includes(line))).toEqual(steps);
  });

  it('starts a protected server without .env, and gives its image the settings', async () => {
    const { cwd } = await runCreate(['x', '--template', 'http', '--auth', '--docker']);
    const read = (name: string) => readFileSync(join(cwd, 'x', name), 'utf8');
    expect(JSON.parse(read('package.json')).scripts.start).toBe('node dist/main.js');
    const run = /docker run .*/.exec(read('README.md'))?.[0];
    expect(run).toBe('docker run --init -p 3000:3000 --env-file .env -e ALLOWED_HOSTS=localhost,127.0.0.1 x');
    expect(read('.env.example')).toMatch(/^ISSUER=.+\n(?:#.*\n)*RESOURCE=.+$/m);
  });

  it('leaves out the test', async () => {
    const { cwd } = await runCreate(['x', '--no-test', '--template', 'workers', '--auth']);
    expect(existsSync(join(cwd, 'x/test'))).toBe(false);
    expect(readFileSync(join(cwd, 'x/package.json'), 'utf8')).not.toContain('vitest');
  });

  it('writes into the current folder', async () => {
    const cwd = emptyFolder();
    mkdirSync(join(cwd, '.git'));
    const { stdout } = await runCreate(['.', '--name', '@me/box'], { cwd });
    expect(stdout).not.toContain('cd ');
    expect(readFileSync(join(cwd, 'src/server.ts'), 'utf8')).toContain("name: 'box'");
  });

  it.each([
    ['my app', 'cd "my app"'],
    ['-x', 'cd ./-x'],
    ['a$b`c', 'cd "a\\$b\\`c"'],
    ['sub/x', 'cd sub/x'],
  ])('prints a command that enters the folder %j', async (folder, enter) => {
    const { stdout } = await runCreate(['--', folder]);
    expect(stdout).toContain(`\n  ${enter}\n`);
  });

  it('makes no repository inside of another', async () => {
    const { commands } = await runCreate(['x'], { run: async () => true });
    expect(commands).not.toContain('git init --quiet');
  });

  it('exits with 1 and keeps the project when the installation fails', async () => {
    const run = async (command: readonly string[]) => command[0] === 'git';
    const { code, stdout, stderr, cwd } = await runCreate(['x'], { run });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'error: The installation failed. The project itself is complete.\n',
    });
    expect(stdout).toMatch(/ {2}cd x\n {2}npm install\n {2}npm run dev\n$/);
    expect(existsSync(join(cwd, 'x/package.json'))).toBe(true);
  });

  it('exits with 130 and keeps the project after Ctrl+C in the installation', async () => {
    const interruption = new AbortController();
    const run = async ([program]: readonly string[]) => {
      if (program === 'npm') interruption.abort();
      return false;
    };
    const { code, cwd } = await runCreate(['x'], { run, signal: interruption.signal });
    expect(code).toBe(130);
    expect(existsSync(join(cwd, 'x/package.json'))).toBe(true);
  });
});

describe('create-tenon', () => {
  it('prints help that fits a screen', async () => {
    const { code, stdout } = await runCreate(['--help']);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('prints its version', async () => {
    expect((await runCreate(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    [['x', 'y'], /"y" is a second one/],
    [['--tempalte', 'http'], /Unknown option '--tempalte'\.\nhint: See --help/],
    [['--template'], /--template <value>' argument missing/],
    [['--template', 'express'], /no template "express".\nhint: Templates: stdio, http, workers, next/],
    [['--template', 'constructor'], /no template "constructor"/],
    [['--package-manager', 'cargo'], /no package manager "cargo"/],
    [['--auth'], /template stdio has no --auth.\nhint: Use --template http or --template workers/],
    [['--template', 'workers', '--docker'], /template workers has no --docker/],
    [['--name', '../../etc'], /package name "..\/..\/etc" may have/],
    [['--name', 'zod'], /depends on.\nhint: Choose another with --name, such as --name zod-server/],
    [['--name', ''], /package name "" is empty/],
    [['a\u0000b'], /control characters/],
    [[''], /The folder is empty/],
  ])('rejects %j', async (words, text) => {
    const { code, stdout, stderr, cwd } = await runCreate(
      words[0]?.startsWith('-') ? ['x', ...words] : words,
    );
    expect({ code, stdout, left: readdirSync(cwd) }).toEqual({ code: 1, stdout: '', left: [] });
    expect(stderr).toMatch(text);
  });

  it('rejects options that npm removed because "--" was missing', async () => {
    const env = { npm_config_template: 'true', npm_config_package_manager: 'pnpm' };
    const { code, stderr } = await runCreate(['x', 'http'], { env });
    expect(code).toBe(1);
    expect(stderr).toContain('npm removed --template, --package-manager from the command.\nhint: Write "--"');
  });

  it('prints errors as one line of JSON', async () => {
    const { stderr } = await runCreate(['--json', '--template', 'x']);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'usage', exitCode: 1 } });
  });
});

describe('a folder with files', () => {
  const full = () => {
    const cwd = emptyFolder();
    mkdirSync(join(cwd, 'x'));
    writeFileSync(join(cwd, 'x/package.json'), 'mine');
    writeFileSync(join(cwd, 'x/notes.txt'), 'mine');
    return cwd;
  };

  it('is refused', async () => {
    const { code, stderr } = await runCreate(['x'], { cwd: full() });
    expect(code).toBe(1);
    expect(stderr).toContain('x is not empty: it has notes.txt, package.json.\nhint: ');
  });

  it('has its names printed without control characters', async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, 'a\u001b[2Jb'), '');
    const { stderr } = await runCreate(['.'], { cwd });
    expect(stderr).toContain('it has a[2Jb.');
  });

  it('is refused with --force when files would be replaced and there is no terminal', async () => {
    const cwd = full();
    const { code, stderr } = await runCreate(['x', '--force'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain('These files exist: package.json.');
    expect(readdirSync(join(cwd, 'x'))).toEqual(['notes.txt', 'package.json']);
  });

  it('is written with --force --yes, which names the replaced files', async () => {
    const cwd = full();
    const { code, stdout } = await runCreate(['x', '--force', '--yes'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('Replaced: package.json\n');
    expect(readFileSync(join(cwd, 'x/notes.txt'), 'utf8')).toBe('mine');
  });
});

describe('create-tenon at a terminal', () => {
  const enter = '\r';
  const down = '\u001b[B';

  it('prompts for missing options', async () => {
    const { code, stdout, cwd } = await runCreate([], {
      answers: [
        ['Which folder?', `box${enter}`],
        ['Which template?', down],
        ['● http', enter],
        ['What else?', ` ${enter}`],
        ['Install the dependencies with npm?', enter],
      ],
    });
    expect(code).toBe(0);
    expect(stdout).toContain(`Created ${join(cwd, 'box')}: template http`);
    expect(existsSync(join(cwd, 'box/src/serve.ts'))).toBe(true);
  });

  it('shows no prompt with --yes', async () => {
    const { code, stderr } = await runCreate(['--yes'], { answers: [] });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it.each([[['--name', 'No']], [['--template', 'next', '--auth']]])(
    'rejects %j before the first prompt',
    async (words) => {
      const { code, stderr } = await runCreate(words, { answers: [] });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^error: /);
    },
  );

  it('writes nothing after Ctrl+C', async () => {
    const { code, stderr, cwd } = await runCreate([], { answers: [['Which folder?', '\u0003']] });
    expect(code).toBe(130);
    expect(stderr).toContain('Cancelled. Nothing was written.');
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('keeps the files of a folder unless the user agrees', async () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, 'package.json'), 'mine');
    const words = ['.', '--force', '--template', 'http', '--no-auth', '--no-docker', '--no-test'];
    const { code, stderr } = await runCreate(words, { cwd, answers: [['Replace package.json?', enter]] });
    expect(code).toBe(1);
    expect(stderr).toContain('The files were kept.');
    expect(readFileSync(join(cwd, 'package.json'), 'utf8')).toBe('mine');
  });
});
