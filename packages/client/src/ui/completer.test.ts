import { revision20251125 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { FakeClock, settled } from '../../../testing/src/fake-clock.js';
import { linked } from '../../test/linked.js';
import { type Reply, ScriptedServer, WireRefusal } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';
import { TypedCompleter } from './completer.js';

const ref = { type: 'ref/prompt', name: 'review' } as const;
const typed = (value: string, context?: Record<string, string>) => ({
  ref,
  argument: { name: 'language', value },
  ...(context && { context: { arguments: context } }),
});

const answering: Reply = (params) => {
  const { value } = params.argument as { value: string };
  return { completion: { values: [`${value}thon`], total: 1, hasMore: false } };
};

async function typing(bounds?: ConstructorParameters<typeof TypedCompleter>[1], reply: Reply = answering) {
  const clock = new FakeClock();
  const server = new ScriptedServer(serverScript(revision20251125, { 'completion/complete': reply }));
  const client = await linked(server, { clock, random: () => 0 });
  const completer = new TypedCompleter(client, bounds);
  const asked = () => server.peer.paramsOf('completion/complete').map(({ argument }) => argument);
  /** Returns the result of a query after a pause in typing. */
  const paused = async (...query: Parameters<typeof completer.complete>) => {
    const answer = completer.complete(...query).catch((error: unknown) => error);
    await clock.advance(bounds?.wait ?? 150);
    return answer;
  };
  return { clock, server, client, completer, asked, paused };
}

describe('a completer', () => {
  it('asks once the typing pauses, and for the newest value alone', async () => {
    shows(
      '2024-11-05/server/utilities/completion/debounced',
      '2026-07-28/server/utilities/completion/debounce',
    );
    const { clock, completer, asked } = await typing();
    const answers = ['p', 'py'].map((value) => completer.complete(typed(value)));
    await clock.advance(149);
    answers.push(completer.complete(typed('pyt')));
    await clock.advance(149);
    expect(asked()).toEqual([]);
    await clock.advance(1);
    expect(asked()).toEqual([{ name: 'language', value: 'pyt' }]);
    const values = { values: ['pytthon'], total: 1, hasMore: false };
    expect(await Promise.all(answers)).toEqual([undefined, undefined, values]);
  });

  it('cancels on the wire what is overtaken on its way, and lets a late answer go', async () => {
    const { clock, server, completer } = await typing({}, (params, peer, id) => {
      if ((params.argument as { value: string }).value === 'py') return answering(params, peer, id);
      return undefined;
    });
    const first = completer.complete(typed('p'));
    await clock.advance(150);
    const second = completer.complete(typed('py'));
    expect(await first).toBeUndefined();
    await clock.advance(150);
    expect((await second)?.values).toEqual(['python']);
    expect(server.peer.methods.slice(-3)).toEqual([
      'completion/complete',
      'notifications/cancelled',
      'completion/complete',
    ]);
  });

  it('remembers answers by what is completed, what was typed and what was chosen before', async () => {
    shows('2024-11-05/server/utilities/completion/cached', '2026-07-28/server/utilities/completion/cache');
    const { completer, asked, paused } = await typing();
    await paused(typed('py', { a: '1', b: '2' }));
    expect((await completer.complete(typed('py', { b: '2', a: '1' })))?.values).toEqual(['python']);
    expect(asked()).toHaveLength(1);
    await paused(typed('py', { a: '1', b: '3' }));
    await paused(typed('pyt', { a: '1', b: '2' }));
    await paused({ ...typed('py', { a: '1', b: '2' }), ref: { type: 'ref/resource', uri: 'review' } });
    await paused({ ...typed('py'), argument: { name: 'other', value: 'py' } });
    expect(asked()).toHaveLength(5);
  });

  it('gives answers that cannot be changed by who reads them', async () => {
    const { completer, paused } = await typing();
    ((await paused(typed('py'))) as { values: string[] }).values.push('spoilt');
    ((await completer.complete(typed('py'))) as { values: string[] }).values.push('spoilt');
    expect((await completer.complete(typed('py')))?.values).toEqual(['python']);
  });

  it.each([
    ['a minute', {}, 60_000],
    ['for the lifetime in the answer', { lifetime: 500 }, 500],
  ])('remembers for %s', async (_, options, lifetime) => {
    const { clock, completer, asked, paused } = await typing(options);
    await paused(typed('py'));
    await clock.advance(lifetime - 1);
    await completer.complete(typed('py'));
    expect(asked()).toHaveLength(1);
    await clock.advance(1);
    await paused(typed('py'));
    expect(asked()).toHaveLength(2);
  });

  it('remembers so many answers, and forgets the one used longest ago', async () => {
    const { asked, paused } = await typing({ entries: 2 });
    for (const value of ['a', 'b', 'a', 'c', 'a', 'b']) await paused(typed(value));
    expect(asked().map((one) => (one as { value: string }).value)).toEqual(['a', 'b', 'c', 'b']);
  });

  it.each(['notifications/prompts/list_changed', 'notifications/resources/list_changed'])(
    'forgets all on %s, and what was asked before it',
    async (method) => {
      const answers: ((result: { completion: { values: string[] } }) => void)[] = [];
      const { clock, server, completer, asked } = await typing(
        {},
        () => new Promise((resolve) => answers.push(resolve)),
      );
      const first = completer.complete(typed('py'));
      await clock.advance(150);
      server.peer.notify(method);
      await settled();
      answers[0]?.({ completion: { values: ['old'] } });
      expect(await first).toEqual({ values: ['old'] });
      const second = completer.complete(typed('py'));
      await clock.advance(150);
      answers[1]?.({ completion: { values: ['new'] } });
      expect(await second).toEqual({ values: ['new'] });
      expect(asked()).toHaveLength(2);
    },
  );

  it('has no values where the server has no completion, and does not ask again until that may have changed', async () => {
    const { server, asked, paused } = await typing({}, () => new WireRefusal(-32601, 'Method not found'));
    expect(await paused(typed('p'))).toEqual({ values: [] });
    expect(await paused(typed('py'))).toEqual({ values: [] });
    expect(asked()).toHaveLength(1);
    server.peer.notify('notifications/prompts/list_changed');
    await settled();
    await paused(typed('pyt'));
    expect(asked()).toHaveLength(2);
  });

  it('tells any other error, and does not remember it', async () => {
    const { asked, paused } = await typing({}, () => new WireRefusal(-32602, 'No such prompt'));
    for (const _ of [1, 2]) expect(await paused(typed('p'))).toMatchObject({ code: -32602 });
    expect(asked()).toHaveLength(2);
  });

  it('gives a query up when its signal aborts', async () => {
    const { clock, server, completer, paused } = await typing({}, () => undefined);
    const controller = new AbortController();
    const waiting = completer.complete(typed('p'), controller.signal).catch((error: unknown) => error);
    await clock.advance(150);
    controller.abort();
    expect(await waiting).toMatchObject({ reason: 'cancelled' });
    await settled();
    expect(server.peer.methods.at(-1)).toBe('notifications/cancelled');
    expect(await paused(typed('p'), AbortSignal.abort())).toMatchObject({ reason: 'cancelled' });
    expect(server.peer.paramsOf('completion/complete')).toHaveLength(1);
  });

  it('leaves nothing behind when it is closed', async () => {
    const { clock, completer, asked } = await typing();
    const before = clock.waiting;
    const waiting = completer.complete(typed('p'));
    completer.close();
    completer.close();
    expect(await waiting).toBeUndefined();
    await settled();
    expect(clock.waiting).toEqual(before);
    expect(asked()).toEqual([]);
  });

  it('gives nothing once it is closed, not even what it remembers', async () => {
    const { completer, asked, paused } = await typing();
    expect(await paused(typed('p'))).toBeDefined();
    completer.close();
    expect(await completer.complete(typed('p'))).toBeUndefined();
    expect(await completer.complete(typed('q'))).toBeUndefined();
    expect(asked()).toEqual([{ name: 'language', value: 'p' }]);
  });
});
