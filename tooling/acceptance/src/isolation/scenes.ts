import { deepStrictEqual } from 'node:assert/strict';
import type { IsolatedClient } from './isolated-client.js';

/** The actions of two clients with one feature at the same time, with the same ids and tokens. */
export interface Scene {
  readonly feature: string;
  /** The first revision with the feature. */
  readonly since?: string;
  run(ann: IsolatedClient, bob: IsolatedClient): Promise<void>;
}

type Act = (me: IsolatedClient) => Promise<unknown>;

/** Returns a scene in which both clients do the same acts, step by step. */
function both(...acts: readonly Act[]): Scene['run'] {
  return async (ann, bob) => {
    for (const act of acts) await Promise.all([act(ann), act(bob)]);
  };
}

function text(said: string): object {
  return { content: [{ type: 'text', text: said }] };
}

/** A tool that requests input, and the client's response. */
interface Question {
  readonly tool: string;
  readonly key: string;
  readonly asked: (who: string) => Readonly<Record<string, unknown>>;
  readonly answer: (who: string) => Readonly<Record<string, unknown>>;
  readonly outcome: (who: string) => string;
}

/** Returns a scene with an input request, sent by the server or as the result of a call that is repeated. */
function asking({ tool, key, asked, answer, outcome }: Question): Scene['run'] {
  return both(async (me) => {
    await me.calls(2, tool);
    if (!me.stateless) {
      const { id } = await me.receives(asked(me.who));
      await me.answers(id, answer(me.who));
      await me.receives({ id: 2, result: text(outcome(me.who)) });
      return;
    }
    const heard = await me.receives({ id: 2, result: { inputRequests: { [key]: asked(me.who) } } });
    const { requestState } = heard.result as { readonly requestState: string };
    await me.calls(3, tool, { inputResponses: { [key]: answer(me.who) }, requestState });
    await me.receives({ id: 3, result: text(outcome(me.who)) });
  });
}

const otherThan = (me: IsolatedClient) => (me.who === 'ann' ? 'bob' : 'ann');

/** All features that carry data of a client. */
export const scenes: readonly Scene[] = [
  {
    feature: 'progress and log messages',
    run: both(async (me) => {
      const spoken = me.revision >= '2025-03-26';
      const progress = (message: string) => ({
        method: 'notifications/progress',
        params: { progressToken: 'token', ...(spoken && { message }) },
      });
      await me.calls(2, 'work');
      await me.receives(progress(`${me.who} begins`));
      await me.receives({ method: 'notifications/message', params: { data: `${me.who} works` } });
      await me.receives(progress(`${me.who} ends`));
      await me.receives({ id: 2, result: text(`done for ${me.who}`) });
    }),
  },
  {
    feature: 'the level of log messages',
    async run(ann, bob) {
      if (!ann.stateless) {
        await ann.asks(2, 'logging/setLevel', { level: 'error' });
        await ann.receives({ id: 2 });
      }
      const wanting = { _meta: { 'io.modelcontextprotocol/logLevel': 'info' } };
      await Promise.all([ann.calls(3, 'work', { _meta: {} }), bob.calls(3, 'work', wanting)]);
      await bob.receives({ method: 'notifications/message', params: { data: 'bob works' } });
      await Promise.all([ann.receives({ id: 3 }), bob.receives({ id: 3 })]);
    },
  },
  {
    feature: 'reading, prompts and completion',
    run: both(
      (me) => me.asks(2, 'resources/read', { uri: `note://${me.who}` }),
      (me) => me.asks(3, 'prompts/get', { name: 'greet', arguments: { who: me.who } }),
      (me) => {
        const ref = { type: 'ref/resource', uri: 'note://{who}' };
        return me.asks(4, 'completion/complete', { ref, argument: { name: 'who', value: me.who } });
      },
      (me) => me.receives({ id: 2, result: { contents: [{ text: `Note of ${me.who}` }] } }),
      (me) => me.receives({ id: 3, result: { messages: [{ content: { text: `Hello ${me.who}` } }] } }),
      (me) => me.receives({ id: 4, result: { completion: { values: [`${me.who} of the bench`] } } }),
    ),
  },
  {
    feature: 'forms',
    since: '2025-06-18',
    run: asking({
      tool: 'form',
      key: 'name',
      asked: (who) => ({ method: 'elicitation/create', params: { message: `${who}, who are you?` } }),
      answer: (who) => ({ action: 'accept', content: { name: `the real ${who}` } }),
      outcome: (who) => `${who} is the real ${who}`,
    }),
  },
  {
    feature: 'sampling',
    run: asking({
      tool: 'model',
      key: 'greeting',
      asked: (who) => ({
        method: 'sampling/createMessage',
        params: { messages: [{ content: { text: `Greet ${who}` } }] },
      }),
      answer: (who) => ({
        role: 'assistant',
        content: { type: 'text', text: 'Hello' },
        model: `model of ${who}`,
      }),
      outcome: (who) => `${who} has model of ${who}`,
    }),
  },
  {
    feature: 'roots',
    run: asking({
      tool: 'folders',
      key: 'folders',
      asked: () => ({ method: 'roots/list' }),
      answer: (who) => ({ roots: [{ uri: `file:///home/${who}` }] }),
      outcome: (who) => `${who} has file:///home/${who}`,
    }),
  },
  {
    feature: 'updates of resources',
    run: both(
      async (me) => {
        const uri = `note://${me.who}`;
        if (me.stateless) {
          await me.asks(2, 'subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } });
          await me.receives({ method: 'notifications/subscriptions/acknowledged' });
        } else {
          await me.asks(2, 'resources/subscribe', { uri });
          await me.receives({ id: 2 });
        }
      },
      (me) => me.calls(3, 'write', { arguments: { who: otherThan(me) } }),
      (me) => {
        const update = { method: 'notifications/resources/updated', params: { uri: `note://${me.who}` } };
        return me.receivesAll([{ id: 3 }, update]);
      },
    ),
  },
  {
    feature: 'lists, and changes of them',
    run: both(
      async (me) => {
        await me.asks(2, 'tools/list');
        const { result } = await me.receives({ id: 2 });
        const { tools } = result as { readonly tools: readonly { readonly name: string }[] };
        deepStrictEqual(
          tools.map(({ name }) => name).filter((name) => name.startsWith('secret')),
          [`secret-of-${me.who}`],
        );
        if (!me.stateless) return;
        await me.asks(3, 'subscriptions/listen', { notifications: { toolsListChanged: true } });
        await me.receives({ method: 'notifications/subscriptions/acknowledged' });
      },
      (me) => me.calls(4, 'forget', { arguments: { who: otherThan(me) } }),
      (me) => me.receivesAll([{ id: 4 }, { method: 'notifications/tools/list_changed' }]),
    ),
  },
  {
    feature: 'cancellation',
    async run(ann, bob) {
      await both(
        (me) => me.calls(2, 'hold'),
        (me) => me.receives({ method: 'notifications/progress' }),
      )(ann, bob);
      await ann.notifies('notifications/cancelled', { requestId: 2 });
      await bob.asks(3, 'tools/call', { name: 'release' });
      await bob.receives({ id: 3 });
      await bob.receives({ id: 2, result: text('held for bob') });
    },
  },
];
