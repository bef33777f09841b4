import { once } from 'node:events';
import type { Client } from '@tenon/mcp-client';
import { afterEach, describe, expect, it } from 'vitest';
import { showsBy } from '../../suite/shows.js';
import type { Way } from './isolation/bench.js';
import { benchServer } from './isolation/bench-server.js';
import { openTypedBench, type TypedBench } from './isolation/typed-ways.js';
import { workshop } from './stories/workshop.js';

const streamable = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
const ways: readonly Way[] = ['http', 'fetch'];
const places: readonly { readonly revision: string; readonly way: Way }[] = [
  { revision: '2024-11-05', way: 'sse' },
  ...streamable.flatMap((revision) => ways.map((way) => ({ revision, way }))),
];
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** A client that records its messages, and answers input requests in its own name. */
async function join(bench: TypedBench, who: 'ann' | 'bob', revision: string) {
  const heard: unknown[] = [];
  const asked: unknown[] = [];
  const client: Client = await bench.connect(who, {
    revision,
    logLevel: 'info',
    onLog: ({ data }) => heard.push(data),
    onElicit({ message }) {
      asked.push(message);
      return { action: 'accept', content: { name: `the real ${who}` } };
    },
    onSample({ messages }) {
      asked.push(messages[0]?.content);
      return { role: 'assistant', content: { type: 'text', text: 'Hello' }, model: `model of ${who}` };
    },
    roots: [{ uri: `file:///home/${who}` }],
    onError: (error) => heard.push(error),
  });
  open.push(client);
  const call = async (name: string, options = {}) => {
    const { content } = await client.callTool(name, { who }, options);
    return content;
  };
  return { who, client, heard, asked, call };
}

async function both(way: Way, revision: string) {
  const bench = await openTypedBench(way, benchServer());
  open.push(bench);
  return Promise.all([join(bench, 'ann', revision), join(bench, 'bob', revision)]);
}

const text = (said: string) => [{ type: 'text', text: said }];

/** A call that has sent messages, and is still running. */
async function begun(start: (onProgress: () => void) => Promise<unknown>) {
  const progress = new EventTarget();
  const first = once(progress, 'first');
  const call = start(() => progress.dispatchEvent(new Event('first')));
  await first;
  return { call };
}

describe.each(places)('two clients of $revision over $way', ({ revision, way }) => {
  it('receive the progress and the logs of their own calls', async () => {
    showsBy(`${revision} ${way}`, { '2026-07-28 http': '2026-07-28/basic/versioning/modern-with-modern' });
    const parties = await both(way, revision);
    await Promise.all(
      parties.map(async ({ who, call, heard }) => {
        const progress: unknown[] = [];
        const onProgress = (one: { progress: number; message?: string }) => progress.push(one.message);
        expect(await call('work', { onProgress })).toEqual(text(`done for ${who}`));
        const spoken = revision >= '2025-03-26' ? [`${who} begins`, `${who} ends`] : [undefined, undefined];
        expect(progress).toEqual(spoken);
        expect(heard).toEqual([`${who} works`]);
      }),
    );
  });

  it('receive the input requests of their own calls', async () => {
    const parties = await both(way, revision);
    await Promise.all(
      parties.map(async ({ who, call, asked }) => {
        const forms = revision >= '2025-06-18';
        if (forms) expect(await call('form')).toEqual(text(`${who} is the real ${who}`));
        expect(await call('model')).toEqual(text(`${who} has model of ${who}`));
        expect(await call('folders')).toEqual(text(`${who} has file:///home/${who}`));
        const greeting = { type: 'text', text: `Greet ${who}` };
        expect(asked).toEqual(forms ? [`${who}, who are you?`, greeting] : [greeting]);
      }),
    );
  });

  it('receive changes of what they watch, and see their own entries', async () => {
    const parties = await both(way, revision);
    const changes = parties.map((): unknown[] => []);
    const all = new EventTarget();
    await Promise.all(
      parties.map(async ({ who, client }, index) => {
        const names = (await client.tools().all()).map(({ name }) => name);
        expect(names.filter((name) => name.startsWith('secret'))).toEqual([`secret-of-${who}`]);
        await client.watch({ tools: true, uris: [`note://${who}`] }, (change) => {
          changes[index]?.push(change);
          if (changes.every(({ length }) => length === 2)) all.dispatchEvent(new Event('told'));
        });
      }),
    );
    const told = once(all, 'told');
    await Promise.all(
      parties.map(async ({ who, client }) => {
        const other = who === 'ann' ? 'bob' : 'ann';
        await client.callTool('write', { who: other });
        await client.callTool('forget', { who: other });
      }),
    );
    await told;
    await Promise.all(parties.map(({ client }) => client.readResource('note://x')));
    for (const [index, { who }] of parties.entries()) {
      expect(changes[index]).toEqual(
        expect.arrayContaining([{ kind: 'resource', uri: `note://${who}` }, { kind: 'tools' }]),
      );
      expect(changes[index]).toHaveLength(2);
    }
  });

  it('cancel their own calls', async () => {
    const [ann, bob] = await both(way, revision);
    const stop = new AbortController();
    const hers = await begun((onProgress) => ann.call('hold', { signal: stop.signal, onProgress }));
    const his = await begun((onProgress) => bob.call('hold', { onProgress }));
    stop.abort();
    await expect(hers.call).rejects.toMatchObject({ reason: 'cancelled' });
    await ann.client.callTool('release');
    expect(await his.call).toEqual(text('held for bob'));
  });
});

describe.each(places)('a client of $revision over $way', ({ revision, way }) => {
  it('receives the whole result of a call, even if the server closes its stream meanwhile', async () => {
    const shop = workshop();
    const bench = await openTypedBench(way, shop.server);
    open.push(bench);
    const client = await bench.connect('ann', { revision });
    open.push(client);
    const progress: number[] = [];
    const onProgress = (one: { readonly progress: number }) => {
      progress.push(one.progress);
      shop.dry();
    };
    const { content } = await client.callTool('rest', {}, { onProgress });
    expect(content).toEqual(text('Rested'));
    expect(progress).toEqual([1, 2]);
  });
});
