import { fileURLToPath } from 'node:url';
import { connect, textOf } from '@tenon/mcp-client';
import { expect, it, onTestFinished } from 'vitest';
import { startRedis } from '../../../tooling/suite/services/redis-server.js';
import { lineOf, start } from '../../test/programs.js';

const folder = fileURLToPath(new URL('../../dist/', import.meta.url));
const info = { name: 'test', version: '1.0.0' };

it.each(['2025-11-25', '2026-07-28'])(
  'serves a client of %s at any process that shares the state in Redis',
  async (revision) => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const env = { PORT: '0', REDIS_URL: redis.url };
    const programs = [1, 2].map(() => start([`${folder}recipes/shared-state.js`], env));
    const urls = await Promise.all(programs.map(({ lines }) => lineOf(lines, /^http/)));
    const posts = urls.map(() => 0);
    let requests = 0;
    const client = await connect(urls[0] ?? '', {
      info,
      revision,
      onElicit: () => ({ action: 'accept', content: { count: 2 } }),
      // A load balancer without affinity.
      fetch: (_, init) => {
        const turn = requests++ % urls.length;
        if (init?.method === 'POST') posts[turn] = (posts[turn] ?? 0) + 1;
        return fetch(urls[turn] ?? '', init);
      },
    });
    for (let call = 0; call < 3; call += 1) {
      const { content } = await client.callTool('order', { article: 'tea' });
      expect(textOf(content)).toBe('Ordered 2 of tea');
    }
    for (const count of posts) expect(count).toBeGreaterThan(1);
    await client.close();
  },
);
