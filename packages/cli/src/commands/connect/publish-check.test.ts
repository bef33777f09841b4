import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainServer } from '../../../test/plain-server.js';
import { type RunOutcome, runTenon } from '../../../test/run-tenon.js';

let folder: string;

const manifest = {
  name: '@ann/weather-mcp',
  version: '1.0.0',
  description: 'Forecasts for any place.',
  mcpName: 'io.github.ann/weather-mcp',
  license: 'MIT',
  author: 'Ann <ann@example.com>',
  repository: 'github:ann/weather-mcp',
  bin: { 'weather-mcp': 'dist/main.cjs' },
  engines: { node: '>=20' },
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-publish-'));
  await mkdir(join(folder, 'dist'));
  await write('dist/main.cjs', plainServer(['forecast', 'alerts']));
  await write('package.json', JSON.stringify(manifest));
  await write('README.md', '# @ann/weather-mcp\n\nnpx @ann/weather-mcp\n');
});

afterEach(() => rm(folder, { recursive: true }));

function write(name: string, text: string): Promise<void> {
  return writeFile(join(folder, name), text);
}

const tenon = (...words: readonly string[]): Promise<RunOutcome> => runTenon(words, { cwd: folder });
const start = ['--', process.execPath, 'dist/main.cjs'];
const made = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8'));

async function edit(name: string, change: (value: Record<string, never>) => object): Promise<void> {
  await write(name, JSON.stringify(change(await made(name))));
}

/** The documents that tenon card makes of the package. */
let documents: Readonly<Record<string, string>> | undefined;

async function makeAll(): Promise<void> {
  if (documents === undefined) {
    const own = ['card', '--cwd', folder, '--format'];
    documents = {
      'server.json': (await tenon(...own, 'server.json', ...start)).stdout,
      'manifest.json': (await tenon(...own, 'mcpb', ...start)).stdout,
    };
  }
  for (const [name, text] of Object.entries(documents)) await write(name, text);
}

describe('tenon card', () => {
  it('makes a server.json of the server and the package', async () => {
    const { code, stdout } = await tenon(
      'card',
      '--cwd',
      folder,
      '-e',
      'WEATHER_API_KEY=secret',
      ...start,
      '--units=metric',
    );
    expect(code).toBe(0);
    expect(stdout).not.toContain('secret"');
    expect(JSON.parse(stdout)).toEqual({
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: 'io.github.ann/weather-mcp',
      title: 'Weather',
      description: 'Forecasts for any place.',
      version: '1.0.0',
      repository: { url: 'https://github.com/ann/weather-mcp', source: 'github' },
      packages: [
        {
          registryType: 'npm',
          identifier: '@ann/weather-mcp',
          version: '1.0.0',
          runtimeHint: 'npx',
          packageArguments: [{ type: 'named', name: '--units', value: 'metric' }],
          environmentVariables: [{ name: 'WEATHER_API_KEY', isRequired: true, isSecret: true }],
          transport: { type: 'stdio' },
        },
      ],
    });
  });

  it('makes a manifest for a bundle', async () => {
    const { stdout } = await tenon(
      'card',
      '--cwd',
      folder,
      '--format',
      'mcpb',
      '-e',
      'WEATHER_API_KEY=x',
      ...start,
    );
    expect(JSON.parse(stdout)).toMatchObject({
      manifest_version: '0.3',
      name: 'weather-mcp',
      author: { name: 'Ann', email: 'ann@example.com' },
      server: {
        entry_point: 'dist/main.cjs',
        mcp_config: {
          args: ['$' + '{__dirname}/dist/main.cjs'],
          env: { WEATHER_API_KEY: '$' + '{user_config.weather_api_key}' },
        },
      },
      tools: [{ name: 'forecast' }, { name: 'alerts' }],
      user_config: { weather_api_key: { sensitive: true } },
    });
  });

  it('makes a server card with the public URL', async () => {
    const remote = 'https://weather.example.com/mcp';
    const { stdout } = await tenon('card', '--cwd', folder, '--format', 'card', '--remote', remote, ...start);
    expect(JSON.parse(stdout).remotes).toEqual([
      { type: 'streamable-http', url: remote, supportedProtocolVersions: ['2025-11-25'] },
    ]);
  });

  it('does not replace a file without --force', async () => {
    await write('server.json', '{}');
    const { code, stderr } = await tenon('card', '--cwd', folder, '--output', 'server.json', ...start);
    expect(code).toBe(1);
    expect(stderr).toContain('--force');
    expect(await readFile(join(folder, 'server.json'), 'utf8')).toBe('{}');
    expect((await tenon('card', '--cwd', folder, '--output', 'server.json', '--force', ...start)).code).toBe(
      0,
    );
  });

  it('exits with 6 when the document would not be valid, and says what is missing', async () => {
    await edit('package.json', ({ author: _, ...rest }) => rest);
    const { code, stderr, stdout } = await tenon('card', '--cwd', folder, '--format', 'mcpb', ...start);
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(stderr).toContain('The member "author" is missing.');
  });

  it('does not write a credential of the command into the document', async () => {
    const token = ['ghp', 'x7Qp2LmZ9vRt4KsW8nYb3HdF6gJc1TaE5uVo'].join('_');
    const { code, stdout, stderr } = await tenon('card', '--cwd', folder, ...start, token);
    expect(code).toBe(6);
    expect(stdout + stderr).not.toContain(token);
  });

  it('asks for a name when there is none', async () => {
    await edit('package.json', ({ mcpName: _, repository: __, ...rest }) => rest);
    const { code, stderr } = await tenon('card', '--cwd', folder, ...start);
    expect(code).toBe(1);
    expect(stderr).toContain('--name io.github.USER/NAME');
  });
});

/** The rules that need the running server. */
const ofLiveServer = new Set(['start', 'tools-missing', 'tools-unknown', 'server-version']);

describe('tenon publish-check', () => {
  it('finds no problems in documents that tenon card has made', async () => {
    await makeAll();
    const { code, stdout } = await tenon('publish-check', '--strict');
    expect(stdout).toBe('package.json, server.json, manifest.json, README.md; 2 tools live: no problems\n');
    expect(code).toBe(0);
  });

  const cases: readonly [string, string, () => Promise<void>][] = [
    [
      'another version',
      'version-differs',
      () => edit('server.json', (own) => ({ ...own, version: '1.0.1' })),
    ],
    ['a missing mcpName', 'mcp-name', () => edit('package.json', ({ mcpName: _, ...own }) => own)],
    [
      'a private package',
      'private-package',
      () => edit('package.json', (own) => ({ ...own, private: true })),
    ],
    [
      'a description that is too long',
      'schema',
      () => edit('server.json', (own) => ({ ...own, description: 'x'.repeat(101) })),
    ],
    [
      'a misspelt member',
      'unknown-member',
      () => edit('server.json', (own) => ({ ...own, websiteURL: 'https://example.com' })),
    ],
    [
      'a name without a namespace',
      'schema',
      () => edit('server.json', (own) => ({ ...own, name: 'weather' })),
    ],
    [
      'a name of another owner',
      'owner-differs',
      () => edit('server.json', (own) => ({ ...own, name: 'io.github.bob/weather-mcp' })),
    ],
    [
      'a local URL',
      'remote-url',
      () =>
        edit('server.json', (own) => ({
          ...own,
          remotes: [{ type: 'sse', url: 'http://localhost:3000/sse' }],
        })),
    ],
    [
      'an undeclared variable',
      'variable',
      () =>
        edit('server.json', (own) => ({
          ...own,
          remotes: [{ type: 'streamable-http', url: 'https://{tenant}.example.com/mcp' }],
        })),
    ],
    ['a missing program', 'file-missing', () => rm(join(folder, 'dist/main.cjs'))],
    [
      'a program without #!',
      'no-interpreter',
      async () =>
        write('dist/main.cjs', plainServer(['forecast', 'alerts']).replace('#!/usr/bin/env node\n', '')),
    ],
    [
      'a server that does not start',
      'start',
      () => write('dist/main.cjs', '#!/usr/bin/env node\nprocess.exit(1);'),
    ],
    [
      'a new tool',
      'tools-missing',
      () => write('dist/main.cjs', plainServer(['forecast', 'alerts', 'radar'])),
    ],
    ['a removed tool', 'tools-unknown', () => write('dist/main.cjs', plainServer(['forecast']))],
    [
      'another version of the server',
      'server-version',
      () => write('dist/main.cjs', plainServer(['forecast', 'alerts'], '0.9.0')),
    ],
    [
      'an entry point outside',
      'file-outside',
      () =>
        edit('manifest.json', (own) => ({
          ...own,
          server: { ...(own.server as unknown as object), entry_point: '../../etc/passwd' },
        })),
    ],
    [
      'an icon that is not a PNG',
      'icon-format',
      async () => {
        await write('icon.png', 'GIF89a');
        await edit('manifest.json', (own) => ({ ...own, icon: 'icon.png' }));
      },
    ],
    [
      'an unused setting',
      'setting-unused',
      () =>
        edit('manifest.json', (own) => ({
          ...own,
          user_config: { place: { type: 'string', title: 'Place', description: 'Place' } },
        })),
    ],
    [
      'a credential',
      'secret',
      () => write('README.md', `@ann/weather-mcp\nexport TOKEN=ghp_${'a1B2'.repeat(9)}\n`),
    ],
    ['a file that is not JSON', 'json', () => write('server.json', '{ "name": }')],
    ['a README without the package', 'readme-name', () => write('README.md', '# Weather\n')],
  ];

  it.each(cases)('finds %s', async (_, rule, change) => {
    await makeAll();
    await change();
    const words = ofLiveServer.has(rule) ? [] : ['--no-start'];
    const { code, stdout } = await tenon('publish-check', '--strict', '--json', ...words);
    const { findings } = JSON.parse(stdout);
    expect(findings.map((finding: { rule: string }) => finding.rule)).toContain(rule);
    expect(code).toBe(6);
  });

  it.each([
    ['server.json', 'schema'],
    ['server-card.json', undefined],
  ])('judges a URL that begins with a variable by the format of %s', async (name, rule) => {
    await makeAll();
    const remotes = [{ type: 'streamable-http', url: '{base}/mcp', variables: { base: {} } }];
    if (name === 'server.json') await edit(name, (own) => ({ ...own, remotes }));
    else {
      const own = { name: manifest.mcpName, version: '1.0.0', description: 'Forecasts.', remotes };
      const $schema = 'https://static.modelcontextprotocol.io/schemas/v2/server-card.schema.json';
      await write(name, JSON.stringify({ $schema, ...own }));
    }
    const { stdout } = await tenon('publish-check', '--no-start', '--json');
    const [finding] = JSON.parse(stdout).findings;
    expect(finding?.rule).toBe(rule);
  });

  it('prints each finding with its fix', async () => {
    await makeAll();
    await edit('server.json', (own) => ({ ...own, version: '^1.0.0', titel: 'Weather' }));
    const { stdout } = await tenon('publish-check', '--no-start');
    expect(stdout).toMatchInlineSnapshot(`
      "server.json
        warning  unknown-member  /titel
                 The format has no member "titel".
                 fix: Remove it. Did you mean "title"?
        error    version-range  /version
                 "^1.0.0" is a range, and not one version.
                 fix: Write one version, such as 1.0.0.
        error    version-differs  /version
                 The version is ^1.0.0, and that of package.json 1.0.0.
                 fix: Write the same version in both files, such as 1.0.0.
      package.json, server.json, manifest.json, README.md; the server was not started: 2 errors, 1 warning
      "
    `);
  });

  it.each([
    [
      'a bundle without a digest',
      { registryType: 'mcpb', identifier: 'https://github.com/ann/w/releases/download/1/w.mcpb' },
      'bundle-digest',
    ],
    [
      'a bundle of another host',
      { registryType: 'mcpb', identifier: 'https://example.com/w.mcpb', fileSha256: 'a'.repeat(64) },
      'bundle-url',
    ],
    ['an image without a tag', { registryType: 'oci', identifier: 'ghcr.io/ann/weather' }, 'image-tag'],
    [
      'an image of another host',
      { registryType: 'oci', identifier: 'example.com/ann/weather:1.0.0' },
      'image-host',
    ],
    ['a README without the name', { registryType: 'pypi', identifier: 'weather' }, 'readme-mention'],
    ['an unknown registry', { registryType: 'brew', identifier: 'weather' }, 'registry-type'],
    [
      'a mirror',
      {
        registryType: 'npm',
        identifier: '@ann/weather-mcp',
        version: '1.0.0',
        registryBaseUrl: 'https://npm.example.com',
      },
      'registry-url',
    ],
    ['a range', { registryType: 'pypi', identifier: 'weather', version: '1.x' }, 'version-range'],
    [
      'a secret that is not declared',
      {
        registryType: 'npm',
        identifier: '@ann/weather-mcp',
        version: '1.0.0',
        environmentVariables: [{ name: 'API_KEY' }],
      },
      'secret-input',
    ],
    [
      'a secret with its value',
      {
        registryType: 'npm',
        identifier: '@ann/weather-mcp',
        version: '1.0.0',
        environmentVariables: [{ name: 'API_KEY', isSecret: true, default: 'abc' }],
      },
      'secret-value',
    ],
  ])('finds %s', async (_, one, rule) => {
    await makeAll();
    await edit('server.json', (own) => ({ ...own, packages: [{ transport: { type: 'stdio' }, ...one }] }));
    const { stdout } = await tenon('publish-check', '--no-start', '--json');
    expect(JSON.parse(stdout).findings.map((finding: { rule: string }) => finding.rule)).toContain(rule);
  });

  it('names the command that makes the files when there are none', async () => {
    const { code, stderr } = await tenon('publish-check');
    expect(code).toBe(1);
    expect(stderr).toContain('tenon card');
  });

  it('ignores the manifest of a web application', async () => {
    await write('manifest.json', JSON.stringify({ name: 'Weather', start_url: '/', icons: [] }));
    expect((await tenon('publish-check')).code).toBe(1);
  });
});
