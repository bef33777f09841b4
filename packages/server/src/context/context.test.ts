import { otherBounds } from '@tenon/foundation';
import { UrlElicitationRequiredError } from '@tenon/mcp-protocol';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { everyRevision, latestHandshake, latestStateless, WirePeer } from '../../test/wire-peer.js';
import { defineExtension } from '../extensions/define-extension.js';
import { createServer } from '../server.js';

const info = { name: 'test', version: '1' };

const server = createServer(info)
  .tool('greet', {}, async (_, ctx) => {
    const answer = await ctx.elicit('name', {
      message: 'Who?',
      schema: z.object({ name: z.string().min(2) }),
    });
    return answer.action === 'accept' ? `Hello ${answer.content.name}` : answer.action;
  })
  .tool('think', {}, async (_, ctx) => {
    const { content } = await ctx.sample('thought', {
      messages: [{ role: 'user', content: { type: 'text', text: '?' } }],
      maxTokens: 5,
    });
    return JSON.stringify(content);
  })
  .tool('where', {}, async (_, ctx) => (await ctx.roots('roots')).map((root) => root.uri).join(' '))
  .tool('visit', {}, async (_, ctx) => {
    const answer = await ctx.elicitUrl('page', { message: 'Sign in', url: 'https://example.com/in' });
    return JSON.stringify(answer);
  })
  .tool('can', {}, (_, ctx) =>
    (['elicit', 'elicit-url', 'sample', 'sample-tools', 'roots'] as const)
      .filter((one) => ctx.can(one))
      .join(' '),
  )
  .tool('blocked', {}, () => {
    throw new UrlElicitationRequiredError([
      { elicitationId: 'e1', message: 'Pay', url: 'https://example.com/pay' },
    ]);
  });

const everything = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };

const questions = [
  {
    tool: 'greet',
    method: 'elicitation/create',
    key: 'name',
    answer: { action: 'accept', content: { name: 'Ada' } },
    text: 'Hello Ada',
  },
  {
    tool: 'greet',
    method: 'elicitation/create',
    key: 'name',
    answer: { action: 'decline' },
    text: 'decline',
  },
  {
    tool: 'think',
    method: 'sampling/createMessage',
    key: 'thought',
    answer: { role: 'assistant', content: { type: 'text', text: 'hm' }, model: 'm' },
    text: '{"type":"text","text":"hm"}',
  },
  {
    tool: 'where',
    method: 'roots/list',
    key: 'roots',
    answer: { roots: [{ uri: 'file:///a' }] },
    text: 'file:///a',
  },
  {
    tool: 'visit',
    method: 'elicitation/create',
    key: 'page',
    answer: { action: 'accept' },
    text: '{"action":"accept"}',
    url: true,
  },
];

describe.each(everyRevision)('in $id', (revision) => {
  for (const { tool, method, key, answer, text, url } of questions) {
    if (!revision.inputRequests.has(method) || (url === true && !revision.rules.inputFeatures.url)) continue;
    test(`${tool} asks ${method} and goes on with ${JSON.stringify(answer)}`, async () => {
      showsBy(`${tool} ${answer.action} ${revision.id}`, {
        'visit accept 2026-07-28': [
          '2026-07-28/client/elicitation/secrets-by-url',
          '2026-07-28/client/elicitation/third-party-not-through-client',
        ],
        'greet decline 2026-07-28': '2026-07-28/client/elicitation/handle-refusals',
      });
      const peer = await WirePeer.open(server, revision, everything);
      if (revision.rules.inputRequestMode === 'request') {
        const call = peer.request('tools/call', { name: tool });
        const requested = await peer.heard(method);
        peer.answer(requested.id, answer);
        expect((await call).result?.content?.[0]?.text).toBe(text);
        return;
      }
      const first = (await peer.request('tools/call', { name: tool })).result;
      expect(first).toMatchObject({ resultType: 'input_required', inputRequests: { [key]: { method } } });
      const { requestState } = first as unknown as { requestState: string };
      const second = await peer.request('tools/call', {
        name: tool,
        inputResponses: { [key]: answer },
        requestState,
      });
      expect(second.result?.content?.[0]?.text).toBe(text);
    });
  }

  test('a client that declared nothing is not asked', async () => {
    showsBy(revision.id, {
      '2024-11-05': [
        '2024-11-05/basic/lifecycle/missing-capabilities',
        '2024-11-05/client/roots/capability-checked',
      ],
      '2026-07-28': [
        '2026-07-28/basic/index/undeclared-not-relied-on',
        '2026-07-28/basic/index/undeclared-error',
        '2026-07-28/basic/patterns/mrtr/declared-only',
        '2026-07-28/client/elicitation/not-always',
        '2026-07-28/client/roots/check-capability',
      ],
    });
    const peer = await WirePeer.open(server, revision, {});
    expect((await peer.request('tools/call', { name: 'can' })).result?.content?.[0]?.text).toBe('');
    const { error } = await peer.request('tools/call', { name: 'think' });
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { sampling: {} } } });
  });

  test('what can be asked is what the revision has and the client declared', async () => {
    showsBy(revision.id, { '2026-07-28': '2026-07-28/client/roots/check-capability' });
    const peer = await WirePeer.open(server, revision, everything);
    const { rules } = revision;
    const expected = [
      ...(rules.inputFeatures.elicit ? ['elicit'] : []),
      ...(rules.inputFeatures.url ? ['elicit-url'] : []),
      'sample',
      ...(rules.inputFeatures.samplingTools ? ['sample-tools'] : []),
      'roots',
    ];
    expect((await peer.request('tools/call', { name: 'can' })).result?.content?.[0]?.text).toBe(
      expected.join(' '),
    );
  });

  test('an error that only one revision has is emitted only there', async () => {
    showsBy(revision.id, { '2026-07-28': '2026-07-28/basic/index/retired-codes' });
    const peer = await WirePeer.open(server, revision, everything);
    const { error } = await peer.request('tools/call', { name: 'blocked' });
    if (revision.rules.urlElicitationError) {
      expect(error).toMatchObject({
        code: -32042,
        data: { elicitations: [{ mode: 'url', elicitationId: 'e1' }] },
      });
    } else expect(error?.code).not.toBe(-32042);
  });
});

test('a live answer that does not fit the form is a tool error that names the field', async () => {
  const peer = await WirePeer.open(server, latestHandshake, everything);
  const call = peer.request('tools/call', { name: 'greet' });
  peer.answer((await peer.heard('elicitation/create')).id, { action: 'accept', content: { name: 'A' } });
  const { result } = await call;
  expect(result?.isError).toBe(true);
  expect(result?.content?.[0]?.text).toContain('The answer to "name" does not fit its form: name: ');
});

test('an answer among the params that does not fit the form is invalid params', async () => {
  shows(
    '2026-07-28/basic/patterns/mrtr/validate-responses',
    '2026-07-28/client/elicitation/server-validates',
  );
  const peer = await WirePeer.open(server, latestStateless, everything);
  const { requestState } = (await peer.request('tools/call', { name: 'greet' })).result as never;
  const inputResponses = { name: { action: 'accept', content: { name: 'A' } } };
  const { error } = await peer.request('tools/call', { name: 'greet', inputResponses, requestState });
  expect(error?.code).toBe(-32602);
  expect(error?.message).toContain('The answer to "name" does not fit its form: name: ');
});

test('names the error that a client answered an input request with in the result of a tool', async () => {
  const reports: unknown[] = [];
  const requestingInput = createServer(info, { onError: (error) => reports.push(error) });
  requestingInput.tool('where', {}, async (_, ctx) => (await ctx.roots('r')).join());
  const peer = await WirePeer.open(requestingInput, latestHandshake, everything);
  const call = peer.request('tools/call', { name: 'where' });
  const requested = await peer.heard('roots/list');
  peer.raw({ jsonrpc: '2.0', id: requested.id, error: { code: -32601, message: 'no roots today' } });
  expect((await call).result).toEqual({
    content: [{ type: 'text', text: 'The client did not answer roots/list: no roots today' }],
    isError: true,
  });
  expect(reports).toEqual([]);
});

test('hides and reports that error in a prompt', async () => {
  const reports: unknown[] = [];
  const requestingInput = createServer(info, { onError: (error) => reports.push(error) });
  requestingInput.prompt('p', {}, async (_, ctx) => (await ctx.roots('r')).join());
  const peer = await WirePeer.open(requestingInput, latestHandshake, everything);
  const call = peer.request('prompts/get', { name: 'p' });
  peer.raw({ jsonrpc: '2.0', id: (await peer.heard('roots/list')).id, error: { code: -1, message: 'no' } });
  expect((await call).error).toEqual({ code: -32603, message: 'Internal error' });
  expect(reports).toMatchObject([{ name: 'RemoteError', code: -1, message: 'roots/list: no' }]);
});

test('sends an id with a URL elicitation only in revisions with such ids', async () => {
  shows('2026-07-28/client/elicitation/parameters', '2026-07-28/client/elicitation/url-parameters');
  const peer = await WirePeer.open(server, latestHandshake, everything);
  const call = peer.request('tools/call', { name: 'visit' });
  const requested = await peer.heard('elicitation/create');
  expect(requested.params).toMatchObject({ mode: 'url', url: 'https://example.com/in' });
  expect(requested.params?.elicitationId).toHaveLength(36);
  peer.answer(requested.id, { action: 'cancel' });
  expect((await call).result?.content?.[0]?.text).toBe('{"action":"cancel"}');
  const other = await WirePeer.open(server, latestStateless, everything);
  const first = (await other.request('tools/call', { name: 'visit' })).result;
  expect(first?.inputRequests?.page?.params).toEqual({
    mode: 'url',
    message: 'Sign in',
    url: 'https://example.com/in',
  });
});

test('progress goes out before the answer, grows, and only where it was asked for', async () => {
  shows('2026-07-28/basic/patterns/progress/progress-increases');
  const steps = createServer(info).tool('steps', {}, (_, ctx) => {
    ctx.progress(1, 3, 'one');
    ctx.progress(1, 3);
    ctx.progress(0.5, 3);
    ctx.progress(3, 3);
    return 'done';
  });
  const peer = await WirePeer.open(steps);
  await peer.request('tools/call', { name: 'steps' });
  expect(peer.received.filter((one) => one.method !== undefined)).toEqual([]);
  await peer.request('tools/call', { name: 'steps' }, { progressToken: 'p' });
  expect(peer.received.filter((one) => one.method !== undefined).map((one) => one.params)).toEqual([
    { progressToken: 'p', progress: 1, total: 3, message: 'one' },
    { progressToken: 'p', progress: 3, total: 3 },
  ]);
});

test('cancelling aborts the handler and no answer follows', async () => {
  shows(
    '2026-07-28/basic/patterns/cancellation/stop-processing',
    '2026-07-28/basic/transports/stdio/stop-work',
  );
  let aborted: unknown;
  const slow = createServer(info).tool('slow', {}, (_, ctx) => {
    ctx.progress(1);
    return new Promise<string>((_resolve, reject) => {
      ctx.signal.addEventListener('abort', () => {
        aborted = ctx.signal.reason;
        reject(ctx.signal.reason);
      });
    });
  });
  const peer = await WirePeer.open(slow);
  const id = peer.send('tools/call', { name: 'slow' }, { progressToken: 1 });
  await peer.heard('notifications/progress');
  peer.notify('notifications/cancelled', { requestId: id, reason: 'tired' });
  await peer.request('ping');
  expect(aborted).toMatchObject({ reason: 'cancelled', message: 'The peer cancelled tools/call: tired' });
  expect(peer.received.filter((one) => one.id === id)).toEqual([]);
});

test('a page that is not an absolute URL is the author’s fault, and said to be', async () => {
  shows('2026-07-28/client/elicitation/url-valid');
  const errors: Error[] = [];
  const lost = createServer(info, { onError: (error) => errors.push(error as Error) }).tool(
    'lost',
    {},
    async (_, ctx) => (await ctx.elicitUrl('page', { message: 'Sign in', url: '/sign-in' })).action,
  );
  const peer = await WirePeer.open(lost, latestStateless, everything);
  expect((await peer.request('tools/call', { name: 'lost' })).result?.isError).toBe(true);
  expect(errors.map((error) => error.message)).toEqual([
    'Elicitation "page": "/sign-in" is not an absolute URL, such as https://example.com/pay.',
  ]);
});

test('limits the input requests of a call by its options', async () => {
  const nosy = createServer(info, {
    onError: () => undefined,
    limits: otherBounds({ rounds: 2, inputRequests: 1, stateSize: 2_000 }),
  })
    .tool('often', {}, async (_, ctx) => {
      for (let index = 0; ; index++) await ctx.roots(`q${index}`);
    })
    .tool('much', {}, async (_, ctx) => {
      await ctx.once('much', () => 'x'.repeat(2_000));
      await ctx.roots('q');
      return 'never';
    });
  const stateless = await WirePeer.open(nosy, latestStateless, everything);
  let answer = await stateless.request('tools/call', { name: 'often' });
  for (let round = 0; round < 2; round++) {
    const inputResponses = { [`q${round}`]: { roots: [] } };
    const requestState = String(answer.result?.requestState);
    answer = await stateless.request('tools/call', { name: 'often', inputResponses, requestState });
  }
  expect(answer.result?.content?.[0]?.text).toContain('asks for input more than 2 times in one call');
  expect((await stateless.request('tools/call', { name: 'much' })).error?.code).toBe(-32603);
  const session = await WirePeer.open(nosy, latestHandshake, everything);
  const call = session.request('tools/call', { name: 'often' });
  for (let index = 0; index < 2; index++) {
    const requested = await session.next((one) => one.method === 'roots/list');
    session.received.length = 0;
    session.answer(requested.id, { roots: [] });
  }
  expect((await call).result?.content?.[0]?.text).toContain('asks for input more than 2 times in one call');
});

test('an extension counts where both ends declared it', async () => {
  shows('2024-11-05/architecture/extensions', '2026-07-28/basic/versioning/extension-fallback');
  const server = createServer(info, {
    extensions: [
      defineExtension({ id: 'com.example/both', settings: { side: 'server' }, external: true }),
      defineExtension({ id: 'com.example/ours', external: true }),
    ],
  }).tool('extensions', {}, (_, ctx) =>
    JSON.stringify(
      ['com.example/both', 'com.example/ours', 'com.example/theirs', 'toString'].map(
        (one) => ctx.extension(one) ?? null,
      ),
    ),
  );
  const extensions = { 'com.example/both': { side: 'client' }, 'com.example/theirs': {} };
  const peer = await WirePeer.open(server, latestStateless, { extensions });
  const { result } = await peer.request('tools/call', { name: 'extensions' });
  expect(result?.content?.[0]?.text).toBe('[{"side":"client"},null,null,null]');
});
