import { otherBounds } from '@tenon/foundation';
import { type Connection, latestHandshake, type UnknownObject } from '@tenon/mcp-protocol';
import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { FakeClock, settled } from '../../../testing/src/fake-clock.js';
import { linked } from '../../test/linked.js';
import { type Reply, ScriptedServer, WireRefusal } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';
import type { Client } from '../client.js';
import { connect } from '../connect.js';
// Loaded with the first form otherwise, which a manual clock does not wait for.
import '../input/form.js';
import { memoryTarget } from '../memory.js';
import type { ClientOptions } from '../options.js';

const form = { type: 'object', properties: { unit: { type: 'string' } } };
const elicit = { method: 'elicitation/create', params: { message: 'Which?', requestedSchema: form } };
const inputRequired = { resultType: 'input_required', inputRequests: { unit: elicit }, requestState: 's' };
const busy = { resultType: 'input_required', requestState: 's' };
const done = { resultType: 'complete', content: [] };
const accept = () => ({ action: 'accept', content: { unit: 'C' } }) as const;
const timeout = (name: string, ms: number) => ({
  name: 'SessionError',
  reason: 'timeout',
  message: `${name} did not finish within ${ms} ms; allow it more with the option "total".`,
});

/** A client of a server that gives these answers in turn, the last of them again and again. */
async function connected(options: Partial<ClientOptions>, ...answers: (UnknownObject | Reply)[]) {
  const clock = new FakeClock();
  let calls = 0;
  const reply: Reply = (params, peer, id) => {
    const answer = answers[Math.min(calls++, answers.length - 1)] as UnknownObject | Reply;
    return typeof answer === 'function' ? answer(params, peer, id) : answer;
  };
  const methods = { 'tools/call': reply, 'prompts/get': reply, 'resources/read': reply };
  const server = new ScriptedServer(serverScript(revision20260728, methods));
  const client = await linked(server, { clock, onElicit: accept, ...options });
  return { client, server, clock, calls: () => calls };
}

/** Returns an object that gets the result or error of the call as `value` when the call settles. */
function ending(call: Promise<unknown>) {
  const end: { value?: unknown } = {};
  call.then(
    (value) => Object.assign(end, { value }),
    (error: unknown) => Object.assign(end, { value: error }),
  );
  return end;
}

const calls: readonly [name: string, call: (client: Client, total: number) => Promise<unknown>][] = [
  ['tools/call forecast', (client, total) => client.callTool('forecast', {}, { total })],
  ['prompts/get hello', (client, total) => client.getPrompt('hello', {}, { total })],
  ['resources/read file:///a', (client, total) => client.readResource('file:///a', { total })],
];

describe.each(calls)('the total of %s', (name, call) => {
  it('bounds a handler that never settles, and aborts its signal', async () => {
    let reason: unknown;
    const onElicit: ClientOptions['onElicit'] = (_, { signal }) => {
      signal.addEventListener('abort', () => (reason = signal.reason));
      return new Promise(() => {});
    };
    const { client, clock } = await connected({ onElicit }, inputRequired);
    const end = ending(call(client, 2_500));
    await clock.advance(2_499);
    expect(end).toEqual({});
    await clock.advance(1);
    expect(end.value).toMatchObject(timeout(name, 2_500));
    expect(reason).toBe(end.value);
    expect(clock.waiting.filter((ms) => ms < 2_500)).toEqual([]);
  });

  it('bounds all rounds, and cancels the request under way', async () => {
    const slow: Reply = async () => {
      await new Promise<void>((resolve) => void clock.schedule(resolve, 1_000));
      return inputRequired;
    };
    const { client, clock, server, calls: sent } = await connected({}, slow);
    const end = ending(call(client, 2_500));
    await clock.advance(2_499);
    expect([end, sent()]).toEqual([{}, 3]);
    await clock.advance(1);
    expect(end.value).toMatchObject(timeout(name, 2_500));
    expect(server.peer.paramsOf('notifications/cancelled')).toMatchObject([
      { reason: 'The request timed out.' },
    ]);
    await clock.advance(60_000);
    expect(sent()).toBe(3);
  });

  it('bounds the waits between rounds that ask for nothing', async () => {
    const { client, clock } = await connected({ limits: otherBounds({ roundDelay: 2_000 }) }, busy);
    const end = ending(call(client, 2_500));
    await clock.advance(2_500);
    expect(end.value).toMatchObject(timeout(name, 2_500));
  });
});

it('bounds all rounds by limits.requestTotal where a call names no total, from when it was first sent', async () => {
  const slow: Reply = async () => {
    await new Promise<void>((resolve) => void clock.schedule(resolve, 1_000));
    return inputRequired;
  };
  const { client, clock } = await connected({ limits: { requestTotal: 2_500 } }, slow);
  const end = ending(client.callTool('forecast'));
  await clock.advance(2_499);
  expect(end).toEqual({});
  await clock.advance(1);
  expect(end.value).toMatchObject(timeout('tools/call forecast', 2_500));
});

describe('the total of a call after its connection is lost', () => {
  /** A server that cannot be reached a second time. */
  async function losing(reply: Reply = () => done) {
    const clock = new FakeClock();
    const server = new ScriptedServer(serverScript(revision20260728, { 'resources/read': reply }));
    let opened = 0;
    const open = () => (++opened === 1 ? memoryTarget(server).open() : new Promise<Connection>(() => {}));
    const client = await connect(
      { open, restartable: true },
      { info: { name: 'client', version: '1' }, clock },
    );
    return { client, server, clock };
  }
  const overdue = timeout('resources/read file:///a', 1_000);

  it('bounds the wait for another one', async () => {
    const { client, server, clock } = await losing();
    await server.peer.die();
    await settled();
    expect(client.state).toBe('reconnecting');
    const end = ending(client.readResource('file:///a', { total: 1_000 }));
    await clock.advance(999);
    expect(end).toEqual({});
    await clock.advance(1);
    expect(end.value).toMatchObject(overdue);
  });

  it('counts what passed before it was lost', async () => {
    const { client, clock } = await losing(async (_, peer) => {
      await new Promise<void>((resolve) => void clock.schedule(resolve, 800));
      await peer.die();
      return undefined;
    });
    const end = ending(client.readResource('file:///a', { total: 1_000 }));
    await clock.advance(999);
    expect([end, client.state]).toEqual([{}, 'reconnecting']);
    await clock.advance(1);
    expect(end.value).toMatchObject(overdue);
  });
});

it('leaves nothing behind once a call has ended', async () => {
  const { client, clock } = await connected({}, inputRequired, done);
  const before = clock.waiting.length;
  await client.callTool('forecast', {}, { total: 5_000 });
  // The one timer of all requests runs on.
  expect(clock.waiting.length).toBeLessThanOrEqual(before + 1);
  const failing = await connected({}, () => new WireRefusal(-32603, 'no'));
  await expect(failing.client.callTool('forecast', {}, { total: 5_000 })).rejects.toThrow('no');
  expect(failing.clock.waiting.length).toBeLessThanOrEqual(1);
});

it('counts the time of each request for itself with timeout', async () => {
  const slow: Reply = async () => {
    await new Promise<void>((resolve) => void clock.schedule(resolve, 900));
    return sent() < 5 ? inputRequired : done;
  };
  const { client, clock, calls: sent } = await connected({}, slow);
  const end = ending(client.callTool('forecast', {}, { timeout: 1_000 }));
  await clock.advance(4_500);
  expect(end.value).toMatchObject({ isError: false });
});

it('bounds live input requests, which do not count towards the timeout', async () => {
  const clock = new FakeClock();
  const script = serverScript(latestHandshake, {
    'tools/call': async (_, peer) => {
      for (;;) await peer.ask('elicitation/create', elicit.params);
    },
  });
  const server = new ScriptedServer(script);
  const onElicit = async () => {
    await new Promise<void>((resolve) => void clock.schedule(resolve, 700));
    return accept();
  };
  const client = await linked(server, { clock, onElicit, revision: latestHandshake.id });
  const end = ending(client.callTool('forecast', {}, { total: 2_500, timeout: 500 }));
  await clock.advance(2_499);
  expect(end).toEqual({});
  await clock.advance(1);
  expect(end.value).toMatchObject({
    reason: 'timeout',
    message: expect.stringMatching(/within 2500 ms.*"total"/),
  });
  expect(server.peer.paramsOf('notifications/cancelled')).toMatchObject([
    { reason: 'The request timed out.' },
  ]);
});
