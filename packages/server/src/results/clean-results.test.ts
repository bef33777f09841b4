import { describe, expect, test } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { everyRevision, latestStateless, WirePeer } from '../../test/wire-peer.js';
import { createServer } from '../server.js';
import { type CleanOptions, cleanResults } from './clean-results.js';
import { ToolError } from './tool-result.js';

const x = '[redacted]';
const info = { name: 'test', version: '1' };
const output = { type: 'object', properties: { user: { type: 'string' } } } as const;
const image = { type: 'image', data: 'eyJh', mimeType: 'image/png' } as const;

function dirtyServer(options?: CleanOptions) {
  return createServer(info)
    .use(cleanResults(options))
    .tool('text', {}, () => 'password=abc \u001b[31mred\u202e')
    .tool('blocks', {}, () => [
      image,
      { type: 'resource', resource: { uri: 'note://a', text: 'Bearer abc123def456' } },
    ])
    .tool('output', { output }, () => ({ user: 'ada\u0007', password: 'abc', list: ['token=abc'] }))
    .tool('nested', { output }, () => ({ user: 'ada', credentials: { login: 'root', pass: ['hunter2'] } }))
    .tool('fail', {}, () => {
      throw new ToolError('https://u:p@db refused');
    })
    .resource('note://a', {}, () => 'password=abc')
    .prompt('ask', {}, () => 'password=abc');
}

async function call(name: string, options?: CleanOptions) {
  const peer = await WirePeer.open(dirtyServer(options));
  return (await peer.request('tools/call', { name })).result;
}

describe('results of tools', () => {
  test('lose credentials, terminal escapes and invisible text', async () => {
    shows(
      '2024-11-05/server/tools/outputs-sanitized',
      '2025-11-25-server-features/tools/outputs-sanitized',
      '2026-07-28/server/tools/sanitize-outputs',
      'draft-tools/tools/outputs-sanitized',
    );
    expect((await call('text'))?.content).toEqual([{ type: 'text', text: `password=${x} red` }]);
  });

  test('keep their images, and lose what embedded resources must not say', async () => {
    expect((await call('blocks'))?.content).toEqual([
      image,
      { type: 'resource', resource: { uri: 'note://a', text: `Bearer ${x}` } },
    ]);
  });

  test('are as clean where they are structured', async () => {
    const result = await call('output');
    const clean = { user: 'ada', password: x, list: [`token=${x}`] };
    expect(result?.structuredContent).toEqual(clean);
    expect(JSON.stringify(result)).not.toContain('abc');
  });

  test('are as clean in the text that repeats what is structured', async () => {
    const result = await call('nested');
    const clean = { user: 'ada', credentials: { login: x, pass: [x] } };
    expect(result?.structuredContent).toEqual(clean);
    expect(JSON.parse(String(result?.content?.[0]?.text))).toEqual(clean);
  });

  test('are as clean where they tell of a failure', async () => {
    expect(await call('fail')).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: `https://${x}@db refused` }],
    });
  });

  test('keep what is switched off, and lose what a function takes out besides', async () => {
    expect((await call('text', { secrets: false }))?.content?.[0]?.text).toBe('password=abc red');
    expect((await call('text', { controls: false }))?.content?.[0]?.text).toBe(
      `password=${x} \u001b[31mred\u202e`,
    );
    expect((await call('output', { secrets: false }))?.structuredContent).toMatchObject({
      user: 'ada',
      password: 'abc',
    });
    const text = (dirty: string) => dirty.replaceAll('ada', '[name]');
    expect((await call('output', { text }))?.structuredContent?.user).toBe('[name]');
  });

  test('of any size are whole', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => ({ index, text: 'a'.repeat(60) }));
    const server = createServer(info)
      .use(cleanResults())
      .tool('rows', { output: { type: 'object' } as const }, () => ({ rows }));
    const peer = await WirePeer.open(server);
    const { result } = await peer.request('tools/call', { name: 'rows' });
    expect(result?.structuredContent).toEqual({ rows });
  });

  test.each(everyRevision)('are clean in $id', async (revision) => {
    showsBy(revision.id, {
      '2024-11-05': '2024-11-05/server/tools/outputs-sanitized',
      '2025-11-25': '2025-11-25-server-features/tools/outputs-sanitized',
      '2026-07-28': ['2026-07-28/server/tools/sanitize-outputs', 'draft-tools/tools/outputs-sanitized'],
    });
    const peer = await WirePeer.open(dirtyServer(), revision);
    const { result } = await peer.request('tools/call', { name: 'text' });
    expect(result?.content?.[0]?.text).toBe(`password=${x} red`);
  });
});

test('resources and prompts are cleaned where that is asked for', async () => {
  const read = async (options?: CleanOptions) => {
    const peer = await WirePeer.open(dirtyServer(options));
    const resource = await peer.request('resources/read', { uri: 'note://a' });
    const prompt = await peer.request('prompts/get', { name: 'ask' });
    return [resource.result?.contents?.[0]?.text, prompt.result?.messages?.[0]?.content?.text];
  };
  expect(await read()).toEqual(['password=abc', 'password=abc']);
  expect(await read({ methods: ['resources/read', 'prompts/get'] })).toEqual([
    `password=${x}`,
    `password=${x}`,
  ]);
});

test('leaves the input requests of a result unchanged', async () => {
  const schema = { type: 'object', properties: { name: { type: 'string' } } } as const;
  const server = createServer(info)
    .use(cleanResults())
    .tool('ask', {}, async (_, ctx) => {
      const answer = await ctx.elicit('form', { message: 'password=?', schema });
      return answer.action;
    });
  const peer = await WirePeer.open(server, latestStateless, { elicitation: { form: {} } });
  const { result } = await peer.request('tools/call', { name: 'ask' });
  expect(result?.inputRequests?.form?.params?.message).toBe('password=?');
  const inputResponses = { form: { action: 'decline' } };
  const { requestState } = result!;
  const done = await peer.request('tools/call', { name: 'ask', inputResponses, requestState });
  expect(done.result?.content?.[0]?.text).toBe('decline');
});

test.each([{ text: 'a' }, { secret: true }, { methods: 'tools/call' }, { methods: ['tool/call'] }])(
  'what would leave results as they are is misuse: %j',
  (options) => {
    expect(() => cleanResults(options as never)).toThrow(TypeError);
  },
);
