import { spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { connect, textOf } from '@tenon/mcp-client';
import { afterEach, describe, expect, it } from 'vitest';
import { startRedis } from '../../../tooling/suite/services/redis-server.js';

const program = fileURLToPath(new URL('../../dist/deploy/node.js', import.meta.url));
const info = { name: 'test', version: '1.0.0' };
const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Starts the program of the container. Resolves when it listens. */
async function startNode(redis: string) {
  const env = { ...process.env, PORT: '0', REDIS_URL: redis };
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log += text;
  });
  ends.push(() => {
    child.kill('SIGTERM');
    return exited;
  });
  for await (const [line] of on(createInterface({ input: child.stdout }), 'line')) {
    const url = String(line);
    return { url, child, exited, ready: true, handled: [] as string[] };
  }
  throw new Error(`The program ended. ${log}`);
}

type Node = Awaited<ReturnType<typeof startNode>>;

/** Sends each request to the next node that is ready, as the proxy does. */
function balanced(nodes: readonly Node[]) {
  let turn = 0;
  return (_: string | URL, init?: RequestInit): Promise<Response> => {
    const ready = nodes.filter((node) => node.ready);
    const node = ready[turn++ % ready.length];
    if (node === undefined) throw new Error('No node is ready.');
    if (typeof init?.body === 'string') node.handled.push(init.body);
    return fetch(node.url, init);
  };
}

async function twoNodes() {
  const redis = await startRedis();
  ends.push(() => redis.stop());
  return Promise.all([startNode(redis.url), startNode(redis.url)]);
}

describe('the program of the container', () => {
  it.each(['2025-06-18', '2025-11-25', '2026-07-28'])(
    'leaves a call that waits for input to another process at SIGTERM, in %s',
    async (revision) => {
      const nodes = await twoNodes();
      const exits: unknown[] = [];
      const client = await connect(nodes[0].url, {
        info,
        revision,
        fetch: balanced(nodes),
        onElicit: async () => {
          const node = nodes.find(({ handled }) =>
            handled.some((body) => body.includes('tools/call')),
          ) as Node;
          node.ready = false;
          node.child.kill('SIGTERM');
          exits.push(...(await node.exited));
          return { action: 'accept', content: { count: 2 } };
        },
      });
      const { content } = await client.callTool('order', { article: 'tea' });
      const [, begun, finished] = /begun by (\S+), finished by (\S+)$/.exec(textOf(content)) ?? [];
      expect(exits).toEqual([0, null]);
      expect(begun).toMatch(new RegExp(`/(${nodes.map(({ child }) => child.pid).join('|')})$`));
      expect(finished).toMatch(/\/\d+$/);
      expect(finished).not.toBe(begun);
      await client.close();
    },
  );

  it('answers the probes, and exits with 0 at SIGTERM', async () => {
    const [node] = await twoNodes();
    const probe = async (path: string) => (await fetch(new URL(path, node.url))).status;
    expect(await probe('/healthz')).toBe(200);
    // Not ready until Redis is connected.
    while ((await probe('/readyz')) === 503);
    expect(await probe('/readyz')).toBe(200);
    node.child.kill('SIGTERM');
    expect(await node.exited).toEqual([0, null]);
  });
});
