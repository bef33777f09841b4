import { createServer } from '@tenon/mcp-server';
import { describe, expect, it } from 'vitest';
import { connectPeer, extension, TaskServers } from '../../test/task-servers.js';
import { tasks } from './tasks.js';

const info = { name: 'test', version: '1' };

describe('options of tasks()', () => {
  it.each([
    [{ ttl: 0 }, 'ttl must be a whole number of milliseconds'],
    [{ maxTtl: Number.POSITIVE_INFINITY }, 'maxTtl must be a whole number of milliseconds'],
    [{ ttl: 2_000, maxTtl: 1_000 }, 'raise maxTtl'],
    [{ pollInterval: 0.5 }, 'pollInterval must be a whole number'],
    [{ promoteAfter: -1 }, 'promoteAfter must be a number, 0 or more'],
    [{ limits: { perCaller: 0 } }, 'perCaller must be a whole number'],
    [{ limits: { recordSize: 1 } }, 'there is no option "recordSize"'],
    [{ inputAsTasks: 'yes' }, 'inputAsTasks must be true, false, or an object with a ttl'],
    [{ inputAsTasks: { ttl: 0 } }, 'ttl must be a whole number of milliseconds'],
    [{ inputAsTasks: { after: 1 } }, 'there is no option "after"'],
    [{ timeToLive: 1 }, 'there is no option "timeToLive"'],
  ])('rejects %j', (options, problem) => {
    expect(() => tasks(options as never)).toThrow(problem);
  });
});

describe('the option task of a tool', () => {
  const register = (task: unknown) =>
    createServer(info, { extensions: [tasks()] }).tool('job', { task: task as 'allow' }, () => 'done');

  it.each([
    ['sometimes', "must be 'never', 'allow' or 'always'"],
    [true, "must be 'never', 'allow' or 'always'"],
    [{}, 'must have a support'],
    [{ support: 'maybe' }, "support that must be 'never', 'allow' or 'always'"],
    [{ support: 'allow', ttl: -1 }, 'ttl that must be a whole number of milliseconds'],
    [{ support: 'allow', inputFirst: 'name' }, 'inputFirst that must be a list of texts'],
    [{ support: 'allow', retries: 3 }, 'has no member "retries"'],
  ])('rejects %j, and names the tool', (task, problem) => {
    expect(() => register(task)).toThrow(problem);
    expect(() => register(task)).toThrow('"job"');
  });

  it('accepts the values of its type', () => {
    for (const task of [
      'never',
      'allow',
      'always',
      { support: 'allow', inputFirst: ['name'], takeOver: false },
    ])
      expect(() => register(task)).not.toThrow();
  });

  it('promotes a call after its time, the time of tasks(), or a second', async () => {
    for (const [options, task, time] of [
      [{}, 'allow', 1_000],
      [{ promoteAfter: 300 }, 'allow', 300],
      [{ promoteAfter: 300 }, { support: 'always' }, 300],
      [{ promoteAfter: 300 }, { support: 'allow', promoteAfter: 50 }, 50],
    ] as const) {
      const servers = new TaskServers();
      const { server } = servers.open(options);
      server.tool('job', { task }, () => new Promise<string>(() => {}));
      const peer = await connectPeer(server, extension);
      const answer = peer.request('tools/call', { name: 'job', arguments: {} });
      await servers.clock.armed(time);
      await servers.clock.advance(time);
      expect((await answer).result).toMatchObject({ resultType: 'task' });
    }
  });
});
