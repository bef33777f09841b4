import type { Change } from '@tenon/mcp-client';
import { expect } from 'vitest';
import type { Heard, Lies } from './liar.js';
import type { Stage } from './stage.js';
import { type Row, stateless, table } from './table.js';

const listen = (lie: (heard: Heard) => unknown): Lies => ({ 'subscriptions/listen': lie });
const of = (id: unknown) => ({ _meta: { 'io.modelcontextprotocol/subscriptionId': id } });
const acknowledge = (heard: Heard, notifications: unknown, id: unknown = heard.id) =>
  heard.say({ method: 'notifications/subscriptions/acknowledged', params: { ...of(id), notifications } });
const changed = (heard: Heard, id: unknown = heard.id) =>
  heard.say({ method: 'notifications/tools/list_changed', params: of(id) });
const tools = { toolsListChanged: true };
const both = { ...tools, promptsListChanged: true };

const honoured = async ({ client }: Stage) => {
  const watch = await client.watch({ tools: true }, () => {});
  const { honoured: agreed } = watch;
  await watch.close();
  return agreed;
};

/** Watches until the listener receives a change of this kind. Returns all changes it received. */
const untilHeard = (kind: Change['kind']) => async (stage: Stage) => {
  const heard: Change['kind'][] = [];
  let found = (_: readonly Change['kind'][]) => {};
  const end = new Promise<readonly Change['kind'][]>((resolve) => {
    found = resolve;
  });
  await stage.client.watch({ tools: true, prompts: true }, (change) => {
    heard.push(change.kind);
    if (change.kind === kind) found([...heard]);
  });
  return stage.drive(end);
};

const rows: readonly Row[] = [
  {
    name: 'is never acknowledged',
    lies: listen(() => {}),
    act: async (stage) => {
      const watching = honoured(stage);
      watching.catch(() => undefined);
      await stage.liar.receives('subscriptions/listen');
      await stage.clock.advance(60_000);
      return watching;
    },
    sees: { error: 'SessionError', why: 'timeout', text: /did not acknowledge the subscription/ },
  },
  {
    name: 'is acknowledged for nothing',
    lies: listen((heard) => acknowledge(heard, {})),
    act: honoured,
    sees: {
      error: 'SessionError',
      why: 'capability-missing',
      text: /honours nothing of what was to be watched/,
    },
  },
  {
    name: 'is acknowledged for more than was asked',
    lies: listen((heard) =>
      acknowledge(heard, {
        ...tools,
        promptsListChanged: true,
        resourceSubscriptions: ['file:///etc/passwd'],
      }),
    ),
    act: honoured,
    sees: { result: { tools: true } },
  },
  {
    name: 'is refused',
    lies: listen((heard) => heard.refuse(-32603, 'No')),
    act: honoured,
    sees: { error: 'RemoteError', why: -32603, text: /^No$/ },
  },
  {
    name: 'is told of changes of others, before its acknowledgement and after',
    lies: listen(async (heard) => {
      await changed(heard);
      await acknowledge(heard, both, Number(heard.id) + 1);
      await acknowledge(heard, both);
      await heard.say({ method: 'notifications/tools/list_changed' });
      for (const id of [Number(heard.id) + 1, String(heard.id), null, '__proto__']) await changed(heard, id);
      await changed(heard);
      await heard.say({ method: 'notifications/prompts/list_changed', params: of(heard.id) });
    }),
    act: untilHeard('prompts'),
    sees: { result: ['tools', 'prompts'] },
  },
  {
    name: 'ends each time, at once: it is given up, and told',
    lies: listen(async (heard) => {
      await acknowledge(heard, tools);
      heard.answer({ resultType: 'complete', ...of(heard.id) });
    }),
    act: untilHeard('ended'),
    sees: { result: expect.arrayContaining(['gap', 'ended']) },
    afterwards: ({ liar }) => expect(liar.count('subscriptions/listen')).toBe(7),
  },
  {
    name: 'changes without end: nothing is asked for because of it',
    lies: listen(async (heard) => {
      await acknowledge(heard, tools);
      await heard.flood(10_000, () => ({ method: 'notifications/tools/list_changed', params: of(heard.id) }));
      await heard.say({ id: heard.id, result: { resultType: 'complete', ...of(heard.id) } });
    }),
    act: async (stage) => (await untilHeard('gap')(stage)).length,
    sees: { result: expect.toSatisfy((count: number) => count > 10_000) },
    afterwards: ({ liar }) => expect(liar.count('tools/list')).toBe(0),
  },
];

table(
  'watches',
  rows.map((row) => ({ ...row, over: ['stdio', 'http'] as const, revisions: [stateless] })),
);
