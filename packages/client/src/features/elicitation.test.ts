import { RemoteError, RemoteUrlElicitationError, RpcError } from '@tenon/mcp-protocol';
import { revision20250618, revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { settled } from '../../../testing/src/fake-clock.js';
import { linked } from '../../test/linked.js';
import { ScriptedServer, WireRefusal } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';

const requestedSchema = {
  type: 'object',
  properties: { name: { type: 'string', default: 'Ada' }, age: { type: 'integer' } },
  required: ['name'],
};
const params = { message: 'Who?', requestedSchema };
const page = { mode: 'url', message: 'Go', url: 'https://a.example/x?y=1', elicitationId: 'e1' };

async function asked(options: Parameters<typeof linked>[1], revision = revision20251125) {
  const server = new ScriptedServer(serverScript(revision));
  const errors: unknown[] = [];
  const client = await linked(server, { onError: (error) => errors.push(error), ...options });
  return { server, client, errors, peer: server.peer };
}

describe('a form', () => {
  it('is handed on with who asks, and its defaults are filled in', async () => {
    shows(
      '2026-07-28/client/elicitation/show-server',
      '2026-07-28/client/elicitation/mode-omitted-form',
      '2026-07-28/client/elicitation/defaults',
      '2026-07-28/client/elicitation/clear-what-and-why',
    );
    const seen: unknown[] = [];
    const { peer } = await asked({
      onElicit: (given, { server }) => {
        seen.push(given, server?.name);
        return { action: 'accept', content: { age: 36 } };
      },
    });
    expect((await peer.ask('elicitation/create', params)).result).toEqual({
      action: 'accept',
      content: { age: 36, name: 'Ada' },
    });
    expect(seen).toEqual([params, 'scripted']);
  });

  it('that is declined or cancelled comes back without content', async () => {
    shows(
      '2026-07-28/client/elicitation/decline-and-cancel',
      '2026-07-28/client/elicitation/approval',
      '2026-07-28/client/elicitation/decline-any-time',
    );
    const { peer } = await asked({ onElicit: () => ({ action: 'decline', content: { name: 'x' } }) });
    expect((await peer.ask('elicitation/create', params)).result).toEqual({ action: 'decline' });
  });

  it.each([
    [
      'content that does not match',
      { action: 'accept', content: { name: 1 } },
      'onElicit returned content that does not match the form: name: expected a string',
      '2026-07-28/client/elicitation/client-validates',
    ],
    [
      'an unknown action',
      { action: 'maybe' },
      'The handler of elicitation/create returned no valid result: result.action: expected one of "accept", "decline", "cancel"',
    ],
    ['nothing', undefined, 'An elicitation handler must return an object with an action.'],
  ])(
    'answered with %s is our own mistake, which the server does not learn',
    async (...[, answer, message, ...ids]) => {
      shows(...ids);
      const { peer, errors } = await asked({ onElicit: () => answer as never });
      expect((await peer.ask('elicitation/create', params)).error).toEqual({
        code: -32603,
        message: 'Internal error',
      });
      expect(errors).toEqual([new TypeError(message)]);
    },
  );

  it('is answered without details when the handler throws, but with the text of an RpcError', async () => {
    shows('2024-11-05/client/sampling/sensitive-data', '2026-07-28/client/sampling/sensitive-data');
    const thrown: unknown[] = [new Error('password hunter2'), new RpcError(-31003, 'Refused')];
    const { peer } = await asked({
      onElicit: () => {
        throw thrown.shift();
      },
    });
    expect((await peer.ask('elicitation/create', params)).error).toEqual({
      code: -32603,
      message: 'Internal error',
    });
    expect((await peer.ask('elicitation/create', params)).error).toEqual({
      code: -31003,
      message: 'Refused',
    });
  });

  it('is called off when the server cancels', async () => {
    let reason: unknown;
    const { peer } = await asked({
      onElicit: (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            reason = signal.reason;
            resolve({ action: 'cancel' });
          });
          peer.notify('notifications/cancelled', { requestId: 'ask-1', reason: 'too late' });
        }),
    });
    const answer = peer.ask('elicitation/create', params);
    expect(await Promise.race([answer, settled().then(() => 'silence')])).toBe('silence');
    expect(String(reason)).toContain('too late');
  });
});

describe('what was not declared', () => {
  it.each([
    ['elicitation/create', params, -32601],
    ['sampling/createMessage', { messages: [], maxTokens: 1 }, -32601],
    ['roots/list', {}, -32601, '2024-11-05/client/roots/unsupported-error'],
  ])('%s is not a method', async (...[method, given, code, ...ids]) => {
    shows(...ids);
    const { peer } = await asked({});
    expect((await peer.ask(method, given)).error?.code).toBe(code);
  });

  it.each([
    ['url', { onElicit: () => ({ action: 'decline' }) as const }, page],
    ['form', { onElicitUrl: () => ({ action: 'decline' }) as const }, params],
  ])('the %s mode is not a valid param', async (mode, options, given) => {
    const { peer } = await asked(options);
    expect((await peer.ask('elicitation/create', given)).error).toEqual({
      code: -32602,
      message: `This client did not declare elicitation in ${mode} mode.`,
    });
  });

  it('a page is not a valid param before there were pages', async () => {
    const { peer } = await asked({ onElicitUrl: () => ({ action: 'accept' }) }, revision20250618);
    expect((await peer.ask('elicitation/create', page)).error?.code).toBe(-32602);
  });
});

describe('a page', () => {
  it('reaches the handler in full, and reports its completion once and no other', async () => {
    shows(
      '2026-07-28/client/elicitation/accept-content',
      '2026-07-28/client/elicitation/third-party-not-through-client',
      '2026-07-28/client/elicitation/show-full-url',
    );
    const done: string[] = [];
    const urls: string[] = [];
    const { peer } = await asked({
      onElicitUrl: ({ url }) => {
        urls.push(url);
        return { action: 'accept', content: { secret: 1 } } as never;
      },
      onElicitComplete: (id) => done.push(id),
    });
    expect((await peer.ask('elicitation/create', page)).result).toEqual({ action: 'accept' });
    expect(urls).toEqual([page.url]);
    for (const elicitationId of ['other', 'e1', 'e1'])
      peer.notify('notifications/elicitation/complete', { elicitationId });
    await settled();
    expect(done).toEqual(['e1']);
  });

  it('is handed on as a browser would read it', async () => {
    const urls: string[] = [];
    const onElicitUrl = ({ url }: { url: string }) => {
      urls.push(url);
      return { action: 'decline' } as const;
    };
    const { peer } = await asked({ onElicitUrl });
    await peer.ask('elicitation/create', { ...page, url: ' https:\\\\A.example/%7E' });
    expect(urls).toEqual(['https://a.example/%7E']);
  });

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'nonsense',
    'https://bank.example@evil.example/',
    'http://a.example/',
  ])('%s is refused unseen', async (url) => {
    showsBy(url, {
      'javascript:alert(1)': '2026-07-28/client/elicitation/urls-careful',
      'https://bank.example@evil.example/': '2026-07-28/client/elicitation/urls-careful',
    });
    let seen = false;
    const { peer } = await asked({
      onElicitUrl: () => {
        seen = true;
        return { action: 'accept' };
      },
    });
    expect((await peer.ask('elicitation/create', { ...page, url })).error?.code).toBe(-32602);
    expect(seen).toBe(false);
  });
});

describe('a call that needs a page first', () => {
  const unfit = [
    { nonsense: true },
    { ...page, mode: 'form' },
    { ...page, url: 'javascript:alert(1)' },
    { ...page, elicitationId: undefined },
  ];
  const refusal = new WireRefusal(-32042, 'More is needed', { elicitations: [page, ...unfit] });

  it('rejects with the pages, and reports their completion', async () => {
    const done: string[] = [];
    const { server, client, peer } = await asked({
      onElicitUrl: () => ({ action: 'accept' }),
      onElicitComplete: (id) => done.push(id),
    });
    server.script = { ...server.script, 'tools/call': () => refusal, 'resources/read': () => refusal };
    const failure = await client.callTool('x').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RemoteUrlElicitationError);
    expect(failure).toMatchObject({ code: -32042, elicitations: [page] });
    await expect(client.readResource('a:b')).rejects.toBeInstanceOf(RemoteUrlElicitationError);
    peer.notify('notifications/elicitation/complete', { elicitationId: 'e1' });
    await settled();
    expect(done).toEqual(['e1']);
  });

  it('is an error like any other where the code has no meaning', async () => {
    const { server, client } = await asked({}, revision20260728);
    server.script = { ...server.script, 'tools/call': () => refusal };
    const failure = await client.callTool('x').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RemoteError);
    expect(failure).not.toBeInstanceOf(RemoteUrlElicitationError);
  });
});
