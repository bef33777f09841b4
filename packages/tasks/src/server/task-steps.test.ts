import { FakeClock } from '@tenon/mcp-testing';
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

  it('does not run again at the process that takes over a call which became a task after it', async () => {
    const servers = new TaskServers();
    const log = new Events<string>();
    const gate = new Gate();
    const open = async (name: string, clock: FakeClock) => {
      const opened = servers.open({}, { clock });
      opened.server.tool('work', { task: { support: 'allow', promoteAfter: 10 } }, async (_, ctx) => {
        const early = await ctx.once('early', () => {
          log.push(name);
          return name;
        });
        if (name === 'one') await gate.passed;
        return early;
      });
      return connectPeer(opened.server, extension);
    };
    const stopped = new FakeClock();
    const one = await open('one', stopped);
    const two = await open('two', servers.clock);
    const call = one.request('tools/call', { name: 'work', arguments: {} });
    await log.reached(1);
    await stopped.advance(10);
    const { result: task = {} } = await call;
    await servers.clock.advance(15_001);
    const { result } = await until(two, task as never, 'completed');
    expect(result?.content?.[0]).toMatchObject({ text: 'one' });
    expect(log.all).toEqual(['one']);
  });
});
