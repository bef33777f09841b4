import { describe, expect, it } from 'vitest';
import { connectPeer, Events, extension, Gate, TaskServers, until } from '../../test/task-servers.js';

describe('a once step that a handler repeats', () => {
  it('runs once, before and after the call became a task', async () => {
    const servers = new TaskServers();
    const { server } = servers.open();
    const gate = new Gate();
    const log = new Events<string>();
    server.tool('work', { task: { support: 'allow', promoteAfter: 10 } }, async (_, ctx) => {
      const step = (key: string) =>
        ctx.once(key, () => {
          log.push(key);
          return log.all.length;
        });
      const values = [await step('early'), await step('early')];
      await gate.passed;
      values.push(await step('early'), ...(await Promise.all([step('late'), step('late')])));
      return [...values, await step('late')].join();
    });
    const peer = await connectPeer(server, extension);
    const call = peer.request('tools/call', { name: 'work', arguments: {} });
    await log.reached(1);
    await servers.clock.advance(10);
    const { result: task = {} } = await call;
    gate.open();
    const { result } = await until(peer, task as never, 'completed');
    expect(log.all).toEqual(['early', 'late']);
    expect(result?.content?.[0]).toMatchObject({ text: '1,1,1,2,2,2' });
  });
});
