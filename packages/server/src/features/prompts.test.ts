import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { everyRevision, WirePeer } from '../../test/wire-peer.js';
import { createServer } from '../server.js';

const info = { name: 'test', version: '1' };

const server = createServer(info)
  .prompt(
    'review',
    {
      title: 'Review',
      description: 'Reviews code',
      args: z.object({ code: z.string().describe('The code'), tone: z.string().optional() }),
      complete: { tone: (typed, ctx) => [`${typed}+`, ctx.chosen.code ?? 'none'] },
    },
    ({ code, tone }) => `Review ${code} ${tone ?? 'kindly'}`,
  )
  .prompt('chat', {}, async () => [
    { role: 'user', content: { type: 'text', text: 'hi' } },
    { role: 'assistant', content: { type: 'text', text: 'hello' } },
  ]);

describe.each(everyRevision)('in $id', (revision) => {
  test('prompts are listed with their arguments and rendered', async () => {
    showsBy(revision.id, { '2026-07-28': '2026-07-28/server/prompts/respond-to-list' });
    const peer = await WirePeer.open(server, revision);
    const list = await peer.request('prompts/list');
    expect(list.result?.prompts?.[0]).toMatchObject({
      name: 'review',
      description: 'Reviews code',
      arguments: [
        { name: 'code', description: 'The code', required: true },
        { name: 'tone', required: false },
      ],
    });
    const got = await peer.request('prompts/get', { name: 'review', arguments: { code: 'x=1' } });
    expect(got.result).toMatchObject({
      description: 'Reviews code',
      messages: [{ role: 'user', content: { type: 'text', text: 'Review x=1 kindly' } }],
    });
    expect((await peer.request('prompts/get', { name: 'chat' })).result?.messages).toHaveLength(2);
  });

  test('unknown prompts and missing arguments are invalid params', async () => {
    showsBy(revision.id, {
      '2024-11-05': [
        '2024-11-05/server/prompts/unknown-name',
        '2024-11-05/server/prompts/missing-arguments',
        '2024-11-05/server/prompts/arguments-validated',
        '2024-11-05/server/prompts/inputs-and-outputs',
      ],
      '2026-07-28': [
        '2026-07-28/server/prompts/error-unknown',
        '2026-07-28/server/prompts/error-arguments',
        '2026-07-28/server/prompts/validate-arguments',
        '2026-07-28/server/prompts/validate-all',
      ],
    });
    const peer = await WirePeer.open(server, revision);
    expect((await peer.request('prompts/get', { name: 'nope' })).error).toEqual({
      code: -32602,
      message: 'Unknown prompt: nope',
    });
    const missing = await peer.request('prompts/get', { name: 'review' });
    expect(missing.error?.code).toBe(-32602);
    expect(missing.error?.message).toContain('code');
  });

  test('completes arguments with the chosen ones', async () => {
    showsBy(revision.id, {
      '2026-07-28': [
        '2026-07-28/server/utilities/completion/context',
        '2026-07-28/server/utilities/completion/error-unknown-prompt',
        '2026-07-28/server/utilities/completion/validate-inputs',
      ],
    });
    const peer = await WirePeer.open(server, revision);
    const ref = { type: 'ref/prompt', name: 'review' };
    const argument = { name: 'tone', value: 'k' };
    const { result } = await peer.request('completion/complete', {
      ref,
      argument,
      context: { arguments: { code: 'c' } },
    });
    expect(result?.completion).toEqual({ values: ['k+', 'c'], total: 2, hasMore: false });
    const other = await peer.request('completion/complete', { ref, argument: { name: 'code', value: '' } });
    expect(other.result?.completion?.values).toEqual([]);
    const unknown = await peer.request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'nope' },
      argument,
    });
    expect(unknown.error).toEqual({ code: -32602, message: 'Unknown prompt: nope' });
  });
});

test('reports more values when a completer has more than it returns', async () => {
  const complete = { few: () => ({ values: ['a'], total: 5 }), all: () => ({ values: ['a'], total: 1 }) };
  const args = z.object({ few: z.string(), all: z.string() });
  const peer = await WirePeer.open(createServer(info).prompt('p', { args, complete }, () => 'x'));
  const ref = { type: 'ref/prompt', name: 'p' };
  const ask = async (name: string) =>
    (await peer.request('completion/complete', { ref, argument: { name, value: '' } })).result?.completion;
  expect(await ask('few')).toEqual({ values: ['a'], total: 5, hasMore: true });
  expect(await ask('all')).toEqual({ values: ['a'], total: 1, hasMore: false });
});

test('returns at most 100 values, and reports that there are more', async () => {
  shows(
    '2024-11-05/server/utilities/completion/maximum',
    '2026-07-28/server/utilities/completion/at-most-100',
  );
  const many = Array.from({ length: 250 }, (_, index) => `v${index}`);
  const big = createServer(info).prompt(
    'big',
    {
      args: z.object({ plain: z.string(), counted: z.string() }),
      complete: { plain: () => many, counted: async () => ({ values: many, total: 900 }) },
    },
    () => 'x',
  );
  const peer = await WirePeer.open(big);
  const ask = async (name: string) =>
    (
      await peer.request('completion/complete', {
        ref: { type: 'ref/prompt', name: 'big' },
        argument: { name, value: '' },
      })
    ).result?.completion;
  expect(await ask('plain')).toMatchObject({ total: 250, hasMore: true });
  expect((await ask('plain'))?.values).toHaveLength(100);
  expect(await ask('counted')).toEqual({ values: many.slice(0, 100), total: 900, hasMore: true });
});

test('rejects a completer for an unknown argument', () => {
  expect(() => createServer(info).prompt('p', { complete: { x: () => [] } as never }, () => 'x')).toThrow(
    'completes "x"',
  );
});

test('completes nothing for a resource without variables, without an error', async () => {
  shows('2026-07-28/server/utilities/completion/security-disclosure');
  const server = createServer(info)
    .resource('a://a', {}, () => 'x')
    .resource('a://hidden', { visible: () => false }, () => 'x')
    .resource('a://{b}', { complete: { b: () => ['c'] } }, () => 'x');
  const peer = await WirePeer.open(server);
  const ask = (uri: string) =>
    peer.request('completion/complete', {
      ref: { type: 'ref/resource', uri },
      argument: { name: 'b', value: '' },
    });
  expect((await ask('a://a')).result?.completion).toEqual({ values: [], total: 0, hasMore: false });
  expect((await ask('a://hidden')).error?.code).toBe(-32602);
});

test('reports a prompt without a result to the author', async () => {
  shows(
    '2024-11-05/server/prompts/inputs-and-outputs',
    '2026-07-28/server/prompts/error-internal',
    '2026-07-28/server/prompts/validate-all',
  );
  const errors: Error[] = [];
  const server = createServer(info, { onError: (error) => errors.push(error as Error) }).prompt(
    'empty',
    {},
    () => undefined as never,
  );
  const peer = await WirePeer.open(server);
  expect((await peer.request('prompts/get', { name: 'empty' })).error?.code).toBe(-32603);
  expect(errors[0]?.message).toBe(
    'Prompt "empty" returned undefined: return a text, a message, a list of messages, or a result with messages.',
  );
});
