import { connect } from '@tenon/mcp-client';
import { memoryTarget } from '@tenon/mcp-client/memory';
import { type Answer, type Connection, serverPort } from '@tenon/mcp-protocol';
import { createServer } from '@tenon/mcp-server';
import { memoryPair } from '@tenon/mcp-session/memory';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  connectTest,
  everyRevision,
  FakeClock,
  type FaultPlan,
  type FaultRecord,
  faulty,
  type PassingFrame,
  settled,
} from '../index.js';

/** A faulty end, its peer, and the messages each has received. */
function pair(plan: FaultPlan) {
  const [inner, far] = memoryPair();
  const near = faulty(inner, plan);
  return { near, far, nearHeard: listen(near), farHeard: listen(far) };
}

function listen(connection: Connection, answer?: (value: unknown) => Answer): unknown[] {
  const heard: unknown[] = [];
  connection.start({
    receive(value) {
      heard.push(value);
      return answer?.(value);
    },
    malformed(reason) {
      heard.push(new SyntaxError(reason));
      return undefined;
    },
    closed: (reason) => heard.push(reason ?? 'closed'),
  });
  return heard;
}

async function sendAll(connection: Connection, ...frames: readonly unknown[]): Promise<void> {
  for (const frame of frames) void connection.send(JSON.stringify(frame));
  await settled();
}

describe.each(['outgoing', 'incoming'] as const)('%s frames', (direction) => {
  const play = async (faults: FaultPlan['outgoing'], ...frames: readonly unknown[]) => {
    const { near, far, nearHeard, farHeard } = pair({ [direction]: faults, clock: new FakeClock() });
    await sendAll(direction === 'outgoing' ? near : far, ...frames);
    return { heard: direction === 'outgoing' ? farHeard : nearHeard, faults: near.faults };
  };

  test('drops frames by number', async () => {
    const { heard, faults } = await play({ drop: [2] }, 'a', 'b', 'c');
    expect(heard).toEqual(['a', 'c']);
    expect(faults).toEqual([{ fault: 'drop', direction, number: 2, message: 'b' }]);
  });

  test('drops frames chosen by a function', async () => {
    const { heard } = await play({ drop: ({ message }) => message === 'a' }, 'a', 'b', 'a');
    expect(heard).toEqual(['b']);
  });

  test('duplicates frames', async () => {
    expect((await play({ duplicate: [1] }, 'a', 'b')).heard).toEqual(['a', 'a', 'b']);
  });

  test('corrupts frames', async () => {
    const { heard } = await play({ corrupt: [1] }, { text: 'whole' }, 'b');
    expect(heard).toEqual([expect.any(SyntaxError), 'b']);
  });

  test('lets the next frame overtake', async () => {
    expect((await play({ reorder: [1, 3] }, 'a', 'b', 'c', 'd')).heard).toEqual(['b', 'a', 'd', 'c']);
  });

  test('closes the connection, and delivers nothing more', async () => {
    const { heard } = await play({ close: [2] }, 'a', 'b', 'c');
    const end = direction === 'outgoing' ? 'closed' : expect.objectContaining({ name: 'TransportError' });
    expect(heard).toEqual(['a', end]);
  });
});

test('delays the frames behind a delayed one', async () => {
  const clock = new FakeClock();
  const { near, farHeard } = pair({ outgoing: { delay: [1, 3], delayMs: 50 }, clock });
  await sendAll(near, 'a', 'b');
  expect(farHeard).toEqual([]);
  await clock.advance(49);
  await sendAll(near, 'c');
  expect(farHeard).toEqual([]);
  await clock.advance(1);
  expect(farHeard).toEqual(['a', 'b']);
  await clock.advance(49);
  expect(farHeard).toEqual(['a', 'b', 'c']);
  expect(clock.waiting).toEqual([]);
});

test('lists only faults that occurred in faults', async () => {
  const { near, farHeard } = pair({ outgoing: { reorder: 1 }, clock: new FakeClock() });
  await sendAll(near, 'a', 'b');
  expect(farHeard).toEqual(['b', 'a']);
  expect(near.faults.map(({ number }) => number)).toEqual([1]);
});

test('delivers a reordered frame after its wait if no frame overtakes it', async () => {
  const clock = new FakeClock();
  const { near, farHeard } = pair({ outgoing: { reorder: [1], reorderWait: 30 }, clock });
  await sendAll(near, 'a');
  expect(farHeard).toEqual([]);
  await clock.advance(30);
  expect(farHeard).toEqual(['a']);
});

test('delivers held frames on close, and leaves no timer', async () => {
  const clock = new FakeClock();
  const { near, farHeard } = pair({ outgoing: { delay: 1, delayMs: 1_000 }, clock });
  await sendAll(near, 'a', 'b');
  await near.close();
  await settled();
  expect(farHeard).toEqual(['a', 'b', 'closed']);
  expect(clock.waiting).toEqual([]);
});

test('leaves no timer when the peer closes', async () => {
  const clock = new FakeClock();
  const { near, far, nearHeard } = pair({ incoming: { delay: 1, delayMs: 1_000 }, clock });
  await sendAll(far, 'a');
  await far.close();
  await settled();
  expect(nearHeard).toEqual(['a', 'closed']);
  expect(clock.waiting).toEqual([]);
  void near;
});

test('applies faults to responses', async () => {
  const [inner, far] = memoryPair();
  const near = faulty(inner, { outgoing: { drop: [1], duplicate: [2] } });
  listen(near, (value) => (value === 'later' ? Promise.resolve('"late"') : '"soon"'));
  const heard = listen(far);
  await sendAll(far, 'lost', 'later', 'last');
  expect([...heard].sort()).toEqual(['late', 'soon', 'soon']);
});

test('affects the same frames with the same seed, and others with another seed', async () => {
  const seeded = async (seed: number) => {
    const { near, farHeard } = pair({ seed, outgoing: { drop: 0.3, duplicate: 0.2, corrupt: 0.2 } });
    await sendAll(near, ...Array.from({ length: 200 }, (_, number) => number));
    expect(farHeard.length).toBeGreaterThan(100);
    return near.faults.map(({ fault, number }) => `${fault} ${number}`);
  };
  expect(await seeded(1)).toEqual(await seeded(1));
  expect(await seeded(1)).not.toEqual(await seeded(2));
});

test('holds back at most 1,024 frames', async () => {
  const { near, farHeard } = pair({ outgoing: { delay: [1], delayMs: 1_000 }, clock: new FakeClock() });
  await sendAll(near, ...Array.from({ length: 1_024 }, (_, number) => number));
  expect(farHeard).toEqual([]);
  await sendAll(near, 1_024);
  expect(farHeard).toHaveLength(1_025);
});

test.each<[string, FaultPlan, string]>([
  [
    'a share above 1',
    { outgoing: { drop: 3 } },
    'drop: 3 is not a share from 0 to 1. For the frame of that number',
  ],
  ['a number below 1', { incoming: { close: [0] } }, 'close: numbers of frames start at 1, not [0].'],
  ['a time that is none', { incoming: { delay: 1, delayMs: [1, -1] } }, 'number of milliseconds, not -1.'],
  ['bytes of frames', { split: 1 }, 'split cuts bytes, and frames have none'],
  ['no seed', { seed: Number.NaN }, 'faults: seed must be a finite number.'],
  [
    'a share as text',
    { outgoing: { drop: '0.1' as never } },
    'drop must be a share, a list of numbers of frames',
  ],
  [
    'numbers as text',
    { outgoing: { drop: ['1'] as never } },
    'drop must be a share, a list of numbers of frames',
  ],
  [
    'one end of a span',
    { incoming: { delayMs: [1] as never } },
    'delayMs must be milliseconds, or the least',
  ],
  ['a span that is turned round', { incoming: { delayMs: [5, 1] } }, 'delayMs: 5 is more than 1.'],
  ['nothing in it', undefined as never, 'faults takes an object with options.'],
])('rejects a plan with %s', (_, plan, message) => {
  expect(() => faulty(memoryPair()[0], plan)).toThrow(message);
});

test('rejects an argument that is neither connection nor target', () => {
  expect(() => faulty('https://example.com/mcp' as never, {})).toThrow('httpTarget(url)');
});

const counter = () => {
  let calls = 0;
  return createServer({ name: 'counter', version: '1' }).tool(
    'count',
    { input: z.object({ by: z.number() }) },
    ({ by }) => {
      calls += by;
      return String(calls);
    },
  );
};

test.each(everyRevision)('reconnects a client of %s after a connection that breaks', async (revision) => {
  const clock = new FakeClock();
  const { client, faults, frames } = await connectTest(counter(), {
    revision,
    client: { clock, random: () => 0 },
    faults: { outgoing: { close: firstCall() } },
  });
  await expect(client.callTool('count', { by: 1 })).rejects.toThrow(
    'The connection was broken by its fault plan.',
  );
  const again = client.callTool('count', { by: 1 });
  await clock.pass();
  await expect(again).resolves.toMatchObject({ content: [{ text: '1' }] });
  expect(frames.at(-1)?.connection).toBe(2);
  expect(faults).toMatchObject([{ fault: 'close', message: { method: 'tools/call' } }]);
  await client.close();
});

/** Matches the first call of a tool. */
function firstCall(): (frame: PassingFrame) => boolean {
  let calls = 0;
  return ({ message }) => {
    if ((message as { method?: string }).method !== 'tools/call') return false;
    calls++;
    return calls === 1;
  };
}

test("applies faults at the server's end", async () => {
  const server = counter();
  const isAnswer = ({ message }: PassingFrame) => (message as { method?: string }).method === undefined;
  const open = (): Connection => {
    const [near, far] = memoryPair();
    server[serverPort].accept(faulty(far, { outgoing: { duplicate: isAnswer } }));
    return near;
  };
  const info = { name: 'test', version: '1' };
  const client = await connect({ open, restartable: false }, { info });
  for (const total of ['1', '2']) {
    const { content } = await client.callTool('count', { by: 1 });
    expect(content).toEqual([{ type: 'text', text: total }]);
  }
  await client.close();
});

test('counts frames over all connections of a target', async () => {
  const target: FaultRecord & ReturnType<typeof memoryTarget> = faulty(memoryTarget(counter()), {
    outgoing: { close: [4] },
  });
  const info = { name: 'test', version: '1' };
  for (const expected of ['fulfilled', 'rejected', 'fulfilled']) {
    const client = await connect(target, { info, revision: everyRevision[0] as string });
    const [outcome] = await Promise.allSettled([client.callTool('count', { by: 1 })]);
    expect(outcome?.status).toBe(expected);
    await client.close();
  }
  expect(target.faults.map(({ number }) => number)).toEqual([4]);
});

test.each(everyRevision)('delivers %s over stdio one to three bytes at a time', async (revision) => {
  await using connection = await connectTest(counter(), {
    revision,
    transport: 'stdio',
    faults: { split: 3 },
  });
  const { content } = await connection.client.callTool('count', { by: 1 });
  expect(content).toEqual([{ type: 'text', text: '1' }]);
});

test('times out a lost request over HTTP, and delivers the next one', async () => {
  await using connection = await connectTest(counter(), {
    transport: 'http',
    faults: { outgoing: { drop: firstCall() } },
  });
  const { client } = connection;
  await expect(client.callTool('count', { by: 1 }, { timeout: 100 })).rejects.toMatchObject({
    reason: 'timeout',
  });
  await expect(client.callTool('count', { by: 1 })).resolves.toMatchObject({ content: [{ text: '1' }] });
});
