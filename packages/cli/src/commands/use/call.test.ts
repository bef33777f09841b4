import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from '@tenon/mcp-server';
import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTenon } from '../../../test/run-tenon.js';
import { shop } from '../../../test/shop.js';

let serving: HttpServing;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-call-'));
  serving = await serveHttp(shop(), { port: 0 });
});
afterAll(async () => {
  await serving.close();
  await rm(folder, { recursive: true });
});

const call = (words: readonly string[], input = '') => runTenon(['call', ...words], { cwd: folder, input });

describe('tenon call', () => {
  it.each<[string, (url: string) => readonly string[], string?]>([
    ['words', (url) => [url, 'add', 'a=1', 'b=2']],
    ['a call as code', (url) => [url, 'add(a: 1, b: 2)']],
    ['a call as code without names', (url) => [url, 'add(1, 2)']],
    ['a server and a tool in one word', (url) => [`${url}.add(a: 1, b: 2)`]],
    ['a server and a tool in one word, and words', (url) => [`${url}.add`, 'a=1', 'b=2']],
    ['JSON', (url) => [url, 'add', '--args', '{"a":1,"b":2}']],
    ['JSON as a word', (url) => [url, 'add', '{a: 1, b: 2}']],
    ['JSON on stdin', (url) => [url, 'add', '-'], '{"a":1,"b":2}'],
    ['JSON and words', (url) => [url, 'add', 'b=2', '--args', '{"a":1,"b":7}']],
  ])('calls a tool with %s', async (_, words, input) => {
    expect(await call(words(serving.url), input)).toEqual({
      code: 0,
      stdout: '{\n  "sum": 3\n}\n',
      stderr: '',
    });
  });

  it('reads arguments from files', async () => {
    await writeFile(join(folder, 'args.json'), '{"query": "tea"}');
    await writeFile(join(folder, 'query.txt'), 'green tea');
    const { stdout } = await call([serving.url, 'search', '--args', '@args.json', 'query=@query.txt']);
    expect(JSON.parse(stdout)).toEqual({ query: 'green tea', limit: 10 });
  });

  it('prints the result as JSON', async () => {
    const { stdout } = await call([serving.url, 'add', 'a=1', 'b=2', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ structuredContent: { sum: 3 } });
  });

  it('exits with 5 and prints the content when the tool fails', async () => {
    expect(await call([serving.url, 'fail'])).toEqual({
      code: 5,
      stdout: 'Sold out\n',
      stderr: 'error: The tool "fail" answered with an error.\n',
    });
  });

  it.each([
    ['an unknown tool', ['serch'], 'Did you mean "search"?'],
    ['an unknown argument', ['search', 'qeury=x'], 'Did you mean "query"?'],
    ['missing arguments', ['add'], '2 arguments are missing for the tool "add":\n  a: number\n  b: number\n'],
    ['a wrong type', ['add', 'a=x', 'b=1'], 'The argument "a" must be a number.'],
    [
      'JSON that the schema does not allow',
      ['add', '{a: "x", b: 1}'],
      'does not accept the arguments:\n  a: ',
    ],
    ['a word that is not an argument', ['add', 'x'], '"x" is not an argument.'],
    ['JSON that is not an object', ['add', '--args', '[1]'], 'are not a JSON object'],
    ['a file that does not exist', ['add', '--args', '@none.json'], 'cannot be read'],
    ['a syntax error', ['add(a: 1'], 'add(a: 1\n          ^'],
    ['no tool', [], 'No tool is named.'],
  ])('exits with 1 and explains %s', async (_, words, text) => {
    const { code, stderr, stdout } = await call([serving.url, ...words]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(text);
  });

  it('explains a call that names no server', async () => {
    expect(await call(['add(a: 1)'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('does not name a server'),
    });
  });

  it('prints the request and does not call with --dry-run', async () => {
    const { stdout } = await call([serving.url, 'search', 'query=tea', '--dry-run', '--key', 'k1']);
    expect(JSON.parse(stdout)).toEqual({
      method: 'tools/call',
      params: { name: 'search', arguments: { query: 'tea' }, _meta: { 'dev.tenon/idempotency-key': 'k1' } },
    });
  });

  it('sends arguments that the schema does not allow with --no-check', async () => {
    const { code, stdout } = await call([serving.url, 'add', 'a:="x"', '--no-check']);
    expect(code).toBe(5);
    expect(stdout).toContain('a');
  });

  it('prints log messages and progress to stderr', async () => {
    const { stdout, stderr } = await call([serving.url, 'noisy', '--log', 'info', '--progress']);
    expect(stdout).toBe('done\n');
    expect(stderr).toBe('warning: Stock is low\n1/2 half\n');
  });

  it('saves images under free names, and never replaces a file', async () => {
    const images = join(folder, 'images');
    for (const number of [1, 2]) {
      const { stdout } = await call([serving.url, 'picture', '--save-images', 'images']);
      expect(stdout).toBe(`A dot\n[image] image/png, 70 B saved: ${join(images, `picture-${number}.png`)}\n`);
    }
    expect(await readdir(images)).toEqual(['picture-1.png', 'picture-2.png']);
    const json = await call([serving.url, 'picture', '--save-images', 'images', '--json']);
    expect(json.stderr).toBe(`Saved ${join(images, 'picture-3.png')}\n`);
    const written = await call([serving.url, 'picture', '--output', 'dot.png']);
    expect(written).toMatchObject({ code: 0, stdout: '', stderr: 'Wrote 70 B to dot.png\n' });
    expect((await readFile(join(folder, 'dot.png'))).subarray(1, 4).toString()).toBe('PNG');
    expect(await call([serving.url, 'picture', '--output', 'dot.png'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Replace it with --force.'),
    });
    expect(await call([serving.url, 'picture', '--output', 'dot.png', '--force'])).toMatchObject({ code: 0 });
  });

  it('shows images in terminals that can', async () => {
    const options = { tty: true, env: { TERM: 'xterm-kitty', NO_COLOR: '1' } };
    const { stdout } = await runTenon(['call', serving.url, 'picture'], options);
    expect(stdout).toContain('\u001b_Ga=T,f=100,m=0;iVBOR');
  });
});

const answers = {
  'Where to?': { content: { city: 'Oslo', count: 2 } },
  'Pay here': 'decline',
  '*': { text: 'Tea for two' },
};

describe('tenon call when interrupted', () => {
  it('cancels the call at the server and exits with 130', async () => {
    const interruption = new AbortController();
    let cancelled = false;
    const server = createServer({ name: 'slow', version: '1.0.0' }).tool('wait', {}, (_, ctx) => {
      interruption.abort();
      return new Promise<string>((resolve) => {
        ctx.signal.addEventListener('abort', () => {
          cancelled = true;
          resolve('cancelled');
        });
      });
    });
    const slow = await serveHttp(server, { port: 0 });
    const { code, stdout } = await runTenon(['call', slow.url, 'wait'], { signal: interruption.signal });
    await slow.close();
    expect({ code, stdout, cancelled }).toEqual({ code: 130, stdout: '', cancelled: true });
  });
});

describe('tenon call with answers', () => {
  it.each(['2025-06-18', '2025-11-25', '2026-07-28'])('answers input requests in %s', async (revision) => {
    await writeFile(join(folder, 'answers.json'), JSON.stringify(answers));
    const words = ['--answers', 'answers.json', '--revision', revision];
    expect(await call([serving.url, 'order', ...words])).toEqual({
      code: 0,
      stdout: '{"city":"Oslo","count":2,"gift":false}\n',
      stderr: 'No input request used the answers: Pay here, *\n',
    });
    expect((await call([serving.url, 'write', ...words])).stdout).toContain('Tea for two');
    if (revision > '2025-06-18')
      expect((await call([serving.url, 'pay', ...words])).stdout).toBe('decline\n');
  });

  it('finds answers by the key of the input request', async () => {
    await writeFile(join(folder, 'keys.json'), JSON.stringify({ address: 'decline' }));
    const { stdout } = await call([
      serving.url,
      'order',
      '--answers',
      'keys.json',
      '--revision',
      '2026-07-28',
    ]);
    expect(stdout).toBe('decline\n');
  });

  it.each(['2025-11-25', '2026-07-28'])(
    'prints an answer to add when there is none in %s',
    async (revision) => {
      await writeFile(join(folder, 'none.json'), '{}');
      const { code, stderr } = await call([
        serving.url,
        'order',
        '--answers',
        'none.json',
        '--revision',
        revision,
      ]);
      expect(code).toBe(1);
      expect(stderr).toContain('none.json has no answer to an input request: "Where to?"');
      expect(stderr).toContain(
        '"Where to?": {"action":"accept","content":{"city":"...","count":1,"gift":false,"size":"small"}}',
      );
    },
  );

  it('explains an answer that does not fit the form', async () => {
    await writeFile(
      join(folder, 'wrong.json'),
      JSON.stringify({ '*': { content: { city: 'Oslo', count: 99 } } }),
    );
    const { code, stderr } = await call([serving.url, 'order', '--answers', 'wrong.json']);
    expect(code).toBe(1);
    expect(stderr).toContain('does not fit the form: count: is above 9.');
  });

  it('names the option when there is no terminal', async () => {
    const { code, stderr } = await call([serving.url, 'order']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/The server requests input: "Where to\?"\nhint: .*--answers FILE/);
  });
});
