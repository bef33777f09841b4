import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { requirement } from './requirement.js';
import type { Message } from './wire.js';

const notified = [
  '2026-07-28/basic/patterns/subscriptions/only-requested',
  '2026-07-28/basic/patterns/subscriptions/acknowledged-first',
  '2026-07-28/basic/patterns/subscriptions/nothing-before',
  '2026-07-28/basic/patterns/subscriptions/id-on-all',
  '2026-07-28/basic/patterns/subscriptions/several',
];

const subscriptionOf = ({ params, result }: Message) =>
  ((params?._meta ?? result?._meta) as Record<string, unknown> | undefined)?.[
    'io.modelcontextprotocol/subscriptionId'
  ];

requirement(
  notified,
  { title: 'Two subscriptions are each acknowledged first and told what they asked for, under their ids.' },
  async ({ serve }) => {
    const server = createServer({ name: 'changing', version: '1.0.0' })
      .tool('one', {}, () => 'x')
      .resource('a://one', {}, () => 'x');
    const { client, wire } = await serve(server);
    const heard: string[] = [];
    let both = () => {};
    const done = new Promise<void>((resolve) => (both = resolve));
    const handle = (who: string) => (change: { readonly kind: string }) => {
      heard.push(`${who} ${change.kind}`);
      if (heard.length === 2) both();
    };
    await client.watch({ tools: true }, handle('first'));
    await client.watch({ uris: ['a://one'] }, handle('second'));
    server.resource('a://two', {}, () => 'x');
    server.tool('two', {}, () => 'x');
    server.resourceUpdated('a://one');
    await done;
    expect(heard.sort()).toEqual(['first tools', 'second resource']);

    const [first, second] = wire.sent('client', 'subscriptions/listen').map(({ id }) => id);
    const under = (id: unknown) => wire.from('server').filter((one) => subscriptionOf(one) === id);
    expect(under(first).map(({ method }) => method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
    ]);
    expect(under(first)[0]?.params?.notifications).toEqual({ toolsListChanged: true });
    expect(under(second).map(({ method }) => method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/resources/updated',
    ]);
    // Every notification belongs to one of the two.
    const notifications = wire.from('server').filter(({ method }) => method !== undefined);
    expect(notifications).toHaveLength(4);
  },
);

requirement(
  [
    '2026-07-28/basic/patterns/subscriptions/graceful-result',
    '2026-07-28/basic/patterns/subscriptions/server-ends',
  ],
  {},
  async ({ serve, transport }) => {
    const server = createServer({ name: 'closing', version: '1.0.0' }).tool('one', {}, () => 'x');
    const { client, wire } = await serve(server, { reconnect: false });
    let handle = () => {};
    const over = new Promise<void>((resolve) => (handle = resolve));
    await client.watch({ tools: true }, () => handle());
    const [listening] = wire.sent('client', 'subscriptions/listen');
    await server.close();
    await over;
    // If the connection is open, the client may listen again by now, under another id.
    const answers = wire.from('server').filter(({ id }) => id === listening?.id);
    expect(answers.map(({ result }) => result?.resultType)).toEqual(['complete']);
    expect(answers.map(subscriptionOf)).toEqual([listening?.id]);
    // On a connection that stays open, the end of a subscription is a message; over HTTP the stream ends.
    const cancelled = wire.sent('server', 'notifications/cancelled').map(({ params }) => params?.requestId);
    expect(cancelled).toEqual(transport === 'http' ? [] : [listening?.id]);
  },
);
