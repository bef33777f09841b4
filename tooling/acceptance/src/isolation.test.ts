import { describe, it } from 'vitest';
import { showsBy } from '../../suite/shows.js';
import { openBench, type Way } from './isolation/bench.js';
import { IsolatedClient } from './isolation/isolated-client.js';
import { scenes } from './isolation/scenes.js';

const streamable = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
const ways: readonly Way[] = ['http', 'fetch'];
const places: readonly { readonly revision: string; readonly way: Way }[] = [
  { revision: '2024-11-05', way: 'sse' },
  ...streamable.flatMap((revision) => ways.map((way) => ({ revision, way }))),
];

describe.each(places)('two clients of $revision over $way', ({ revision, way }) => {
  const there = scenes.filter(({ since = '' }) => revision >= since);

  it.each(there)('keep $feature to themselves', async ({ feature, run }) => {
    showsBy(`${revision} over ${way}: ${feature}`, {
      '2026-07-28 over http: progress and log messages': [
        '2026-07-28/basic/index/many-conversations',
        '2026-07-28/basic/transports/streamable-http/stream-related',
        '2026-07-28/server/utilities/logging/not-on-other-streams',
        '2026-07-28/server/utilities/logging/control-access',
      ],
      '2026-07-28 over http: lists, and changes of them': '2026-07-28/server/tools/list-by-authorization',
    });
    const bench = await openBench(way);
    const join = async (who: 'ann' | 'bob') => {
      const party = new IsolatedClient(who, revision, await bench.client(who));
      await party.open();
      return party;
    };
    const [ann, bob] = await Promise.all([join('ann'), join('bob')]);
    await run(ann, bob);
    await Promise.all([ann.leaves(), bob.leaves()]);
    await bench.face.close();
  });
});
