// The packages bundle without warnings, without Node in a browser, and within size limits. Reads `dist`.
// docs/decisions/019-bundles.md has the reasons.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram, bundlers, gzippedKiB, scriptsIn } from './bundles.js';

const execute = promisify(execFile);
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-bundles-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a page with connect', () => {
  // KiB, gzipped: all scripts of the page, rarely loaded ones included.
  it.each([
    ['esbuild', 88],
    ['Vite', 92],
  ])('bundles with %s without a warning, and small enough', async (name, most) => {
    const warnings = await bundlers.get(name)?.(join(folder, name));
    const scripts = await scriptsIn(join(folder, name));
    expect(warnings).toEqual([]);
    expect([...scripts.values()].filter((text) => /["'`]node:|undici\//.test(text))).toEqual([]);
    expect(gzippedKiB(scripts.values())).toBeLessThan(most);
  });
});

/** Programs with zod, and the most KiB that each may have as a single gzipped file. */
const programs = {
  'a server over stdio': {
    most: 128,
    source: `
      import { createServer } from '@tenon/mcp-server';
      import { serveStdio } from '@tenon/mcp-server/stdio';
      import * as z from 'zod';
      const server = createServer({ name: 'small', version: '1.0.0' });
      server.tool('greet', { input: z.object({ name: z.string() }) }, ({ name }) => 'Hello, ' + name);
      await serveStdio(server);`,
  },
  'a server for fetch': {
    most: 150,
    source: `
      import { createServer } from '@tenon/mcp-server';
      import { toFetchHandler } from '@tenon/mcp-server/fetch';
      import * as z from 'zod';
      const server = createServer({ name: 'small', version: '1.0.0' });
      server.tool('greet', { input: z.object({ name: z.string() }) }, ({ name }) => 'Hello, ' + name);
      export default { fetch: toFetchHandler(server) };`,
  },
  'a client': {
    most: 94,
    source: `
      import { connect } from '@tenon/mcp-client';
      const client = await connect('https://example.com/mcp', { info: { name: 'small', version: '1.0.0' } });
      console.log(await client.callTool('greet', { name: 'Ada' }));
      await client.close();`,
  },
};

describe.each(Object.entries(programs))('%s bundled for Node', (_, { most, source }) => {
  it('contains neither Ajv nor undici, and is small enough', async () => {
    const { code, warnings, packages } = await bundleProgram(source);
    expect(warnings).toEqual([]);
    expect([...packages].filter((name) => /ajv|undici|fast-uri/.test(name))).toEqual([]);
    expect(gzippedKiB([code])).toBeLessThan(most);
  });
});

/** Texts in code that only extensions use, for server and client. */
const extensionCode = {
  'a server': {
    texts: ['answered the call of the tool', 'needs a client that declares the extension'],
    source: "import { createServer } from '@tenon/mcp-server'; createServer({ name: 'x', version: '1' });",
    imports: "import { defineExtension } from '@tenon/mcp-server/extension';",
  },
  'a client': {
    texts: ['settle() must return an object', 'this client does not offer it in'],
    source: "import { connect } from '@tenon/mcp-client'; connect('https://example.com', { info: {} });",
    imports: "import { defineExtension } from '@tenon/mcp-client/extension';",
  },
};

describe.each(Object.entries(extensionCode))('%s in a bundle', (_, { texts, source, imports }) => {
  it.each([
    ['contains the code for extensions if it defines one', true],
    ['does not contain the code for extensions if it defines none', false],
  ])('%s', async (_title, defined) => {
    const used = `${imports} console.log(defineExtension({ id: 'com.example/x', external: true }));`;
    const { code } = await bundleProgram(`${source} ${defined ? used : ''}`);
    expect(texts.map((text) => code.includes(text))).toEqual([defined, defined]);
  });
});

describe('a bundle on Node', () => {
  let count = 0;

  /**
   * Bundles a program, and runs it. A CommonJS module such as undici works only in a CommonJS bundle.
   *
   * @param {string} source
   * @param {Parameters<typeof bundleProgram>[1]} [options]
   */
  async function run(source, options) {
    const { code, packages, warnings } = await bundleProgram(source, options);
    expect(warnings).toEqual([]);
    const file = join(folder, `program-${++count}.${options?.format === 'cjs' ? 'cjs' : 'mjs'}`);
    await writeFile(file, code);
    const { stdout } = await execute(process.execPath, [file]);
    return { packages, printed: stdout.trim().split('\n') };
  }

  it.each([
    ['the global fetch', 'url', ''],
    [
      'undici when it is given',
      'httpTarget(url, { sender: undiciSender })',
      `import { httpTarget } from '@tenon/mcp-client/http';
      import { undiciSender } from '@tenon/mcp-client/undici';`,
    ],
  ])('sends with %s', async (_, target, imports) => {
    const server = createServer({ name: 'greeter', version: '1.0.0' }).tool('greet', {}, () => 'Hello');
    const serving = await serveHttp(server, { port: 0 });
    const { packages, printed } = await run(
      `import { connect } from '@tenon/mcp-client';
      ${imports}
      const url = ${JSON.stringify(serving.url)};
      connect(${target}, { info: { name: 'small', version: '1.0.0' } }).then(async (client) => {
        const { content } = await client.callTool('greet');
        await client.close();
        console.log(content[0].text);
      });`,
      { format: 'cjs' },
    );
    await serving.close();
    expect(printed).toEqual(['Hello']);
    expect(packages.has('undici')).toBe(imports !== '');
  });

  it.each([
    ['the interpreter', '', ''],
    ['Ajv when it is given', 'validator', "import { validator } from '@tenon/mcp-server/ajv';"],
  ])('checks plain schemas with %s', async (_, options, imports) => {
    const { packages, printed } = await run(`
      import { createServer } from '@tenon/mcp-server';
      import { connectMemory } from '@tenon/mcp-client/memory';
      ${imports}
      const input = { type: 'object', properties: { city: { type: 'string' } } };
      const server = createServer({ name: 'plain', version: '1.0.0' }, { ${options} });
      server.tool('where', { input }, ({ city }) => city);
      const client = await connectMemory(server, { info: { name: 'small', version: '1.0.0' } });
      for (const city of ['Oslo', 5]) console.log((await client.callTool('where', { city })).content[0].text);
      await client.close();`);
    expect(packages.has('ajv')).toBe(imports !== '');
    expect(printed).toEqual(['Oslo', expect.stringContaining('city: must be string')]);
  });

  it('serves skills in code without YAML, and loads YAML with the first skill of a client', async () => {
    const served = `
      import { createServer } from '@tenon/mcp-server';
      import { connectMemory } from '@tenon/mcp-client/memory';
      import { skills as serveSkills } from '@tenon/mcp-skills/server';
      const info = { name: 'small', version: '1.0.0' };
      const skill = { frontmatter: { name: 'refunds', description: 'How to refund' }, body: 'Ask first.' };
      const server = createServer(info, { extensions: [serveSkills({ skills: [skill] })] });`;
    const alone = await run(`${served}
      const client = await connectMemory(server, { info });
      console.log((await client.resources().all()).length);
      await client.close();`);
    expect(alone.packages.has('yaml')).toBe(false);
    expect(alone.printed).toEqual(['1']);
    const whole = await run(
      `${served}
      import { skills } from '@tenon/mcp-skills/client';
      const client = await connectMemory(server, { info, extensions: [skills()] });
      console.log((await client.skills.load('skill://refunds/SKILL.md')).body);
      await client.close();`,
      { platform: 'browser' },
    );
    expect(whole.packages.has('yaml')).toBe(true);
    expect(whole.printed).toEqual(['Ask first.']);
  });

  it('rejects a sign-in when it was bundled for a browser', async () => {
    const source = `
      import { clientCredentials } from '@tenon/mcp-auth/client';
      const issuer = 'https://issuer.example';
      const auth = clientCredentials({ clientId: 'a', clientSecret: 'b', issuer });
      try { auth.authorizer(new URL('https://server.example/mcp')); } catch (error) { console.log(String(error)); }`;
    const { packages, printed } = await run(source, { platform: 'browser' });
    expect(packages.has('undici')).toBe(false);
    expect(printed).toEqual([expect.stringContaining('TypeError: Addresses cannot be checked')]);
    const whole = await run(source);
    expect(whole.packages.has('undici')).toBe(true);
    expect(whole.printed).toEqual(['']);
  });
});

describe('the packages without a bundler', () => {
  const program = `
    import { createServer } from '@tenon/mcp-server';
    import { serveHttp } from '@tenon/mcp-server/http';
    import { connect } from '@tenon/mcp-client';
    globalThis.fetch = () => Promise.reject(new Error('fetch was used'));
    const input = { type: 'object', properties: { city: { type: 'string' } } };
    const server = createServer({ name: 'plain', version: '1.0.0' }).tool('where', { input }, ({ city }) => city);
    const serving = await serveHttp(server, { port: 0 });
    const client = await connect(serving.url, { info: { name: 'small', version: '1.0.0' } });
    console.log(await client.callTool('where', { city: 'Oslo' }).then(({ content }) => content[0].text, String));
    await client.close();
    await serving.close();`;
  /** @param {string[]} flags */
  const run = async (...flags) => {
    const args = [...flags, '--input-type=module', '--eval', program];
    const { stdout } = await execute(process.execPath, args, { cwd: import.meta.dirname });
    return stdout.trim();
  };

  it('send requests with undici', async () => {
    expect(await run()).toBe('Oslo');
  });

  it('compile plain schemas to code', async () => {
    expect(await run('--disallow-code-generation-from-strings')).toContain('Internal error');
  });
});
