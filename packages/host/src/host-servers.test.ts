import { memoryTarget } from '@tenon/mcp-client/memory';
import { expect, it } from 'vitest';
import { FakeClock } from '../../testing/src/fake-clock.js';
import { hosted, serverWith } from '../test/hosted.js';
import { program } from '../test/program.js';
import type { ConsentAnswer, HostOptions } from './index.js';

const allow: Partial<HostOptions> = { policy: () => 'allow' };

it('asks again for a program with another value of a variable, and for each start after "once"', async () => {
  const { target } = program();
  const asking: Partial<HostOptions> = { policy: ({ kind }) => (kind === 'start' ? 'ask' : 'allow') };
  const { host, questions } = hosted({}, { ...asking, answer: 'run' });
  for (const SECRET_OF_TEST of ['a', 'a', 'b']) {
    host.servers.add('files', { ...target, env: { SECRET_OF_TEST } });
    await host.callTool('files__echo');
    await host.servers.remove('files');
  }
  expect(questions).toHaveLength(2);
  const once = hosted({}, asking);
  once.host.servers.add('files', target);
  await once.host.callTool('files__exit').catch(() => undefined);
  await once.host.callTool('files__echo');
  expect(once.questions).toHaveLength(2);
});

it('does not ask about a refused start with each list, and asks again for a call and after restart', async () => {
  const { target } = program();
  const clock = new FakeClock();
  const { host, questions } = hosted({ one: serverWith('a') }, { answer: 'no', clock });
  host.servers.add('files', target);
  for (let count = 0; count < 3; count++) {
    expect((await host.tools()).map(({ name }) => name)).toEqual(['one__a']);
    await clock.advance(60_000);
  }
  expect(questions).toHaveLength(1);
  expect(host.servers.get('files')).toMatchObject({ status: 'failed', error: { reason: 'denied' } });
  await host.servers.restart('files');
  await host.tools();
  expect(questions).toHaveLength(2);
  await host.servers.restart('files');
  const call = host.callTool({ server: 'files', tool: 'echo' });
  await expect(call).rejects.toMatchObject({ reason: 'denied' });
  expect(questions).toHaveLength(3);
});

it('does not send a call that was permitted for another definition than the server has by then', async () => {
  let current = serverWith('read');
  const ran: string[] = [];
  const { host } = hosted(
    {},
    {
      consent: async ({ request, change }): Promise<ConsentAnswer> => {
        ran.push(`${request.name} ${change?.kind}`);
        if (ran.length > 1) return 'no';
        current = serverWith('other');
        await host.servers.restart('one');
        return 'always';
      },
    },
  );
  host.servers.add('one', () => memoryTarget(current).open());
  await host.tools();
  await expect(host.callTool('one__read')).rejects.toMatchObject({ reason: 'unknown-tool' });
  expect(ran).toEqual(['read undefined']);
});

it('lists the tools of a server that failed, once it can be started', async () => {
  const clock = new FakeClock();
  let isDown = true;
  const { host } = hosted({}, { ...allow, clock });
  host.servers.add('one', () => {
    if (isDown) throw new Error('down');
    return memoryTarget(serverWith('a')).open();
  });
  expect(await host.tools()).toEqual([]);
  isDown = false;
  expect(await host.tools()).toEqual([]);
  await clock.advance(1_000);
  expect((await host.tools()).map(({ name }) => name)).toEqual(['one__a']);
});

it('lists the tools of the others once a server has kept it waiting for a minute', async () => {
  const clock = new FakeClock();
  const { host } = hosted({ good: serverWith('a') }, { ...allow, clock });
  host.servers.add('hung', () => new Promise(() => undefined));
  await host.callTool({ server: 'good', tool: 'a' });
  const listing = host.tools({ for: 'openai' });
  await clock.armed(60_000);
  await clock.advance(60_000);
  const { tools } = await listing;
  expect(tools.map((tool) => tool.function.name)).toEqual(['good__a', 'read_result']);
});

it('does not start a program that has ended for a list of tools', async () => {
  const { target, starts } = program();
  const { host } = hosted({}, allow);
  host.servers.add('files', target);
  const names = (await host.tools()).map(({ name }) => name);
  await host.callTool('files__exit').catch(() => undefined);
  expect((await host.tools()).map(({ name }) => name)).toEqual(names);
  expect(starts()).toBe(1);
});

it('rejects what waits for the user when it closes, and survives listeners that throw', async () => {
  let asked = () => {};
  const waiting = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const { host, errors } = hosted(
    { one: serverWith('a') },
    {
      consent: () => {
        asked();
        return new Promise(() => undefined);
      },
    },
  );
  host.servers.onStateChange(() => {
    throw new Error('listener');
  });
  const call = expect(host.callTool('one__a')).rejects.toMatchObject({ reason: 'closed' });
  await waiting;
  await host.close();
  await call;
  expect(errors).toContainEqual(new Error('listener'));
});

it('changes nothing when one of the new servers is wrong', async () => {
  const { host } = hosted({ one: serverWith('a') }, allow);
  expect(() =>
    host.servers.set({ two: memoryTarget(serverWith('b')), '': memoryTarget(serverWith('c')) }),
  ).toThrow(TypeError);
  expect(host.servers.list().map(({ name }) => name)).toEqual(['one']);
});

it('denies for a limit of the policy that is not a rate', async () => {
  const { host } = hosted(
    { one: serverWith('a') },
    { policy: () => ({ action: 'allow', limit: { perSec: 1 } as never }) },
  );
  await expect(host.callTool('one__a')).rejects.toMatchObject({ reason: 'denied' });
});
