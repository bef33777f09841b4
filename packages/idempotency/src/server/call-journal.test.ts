import { readFileSync } from 'node:fs';
import { otherBounds } from '@tenon/foundation';
import { latestStateless, RpcError, serverPort } from '@tenon/mcp-protocol';
import { createServer, type Server } from '@tenon/mcp-server';
import { SharedMemory } from '@tenon/mcp-testing/state';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { everyRevision, WirePeer } from '../../../server/test/wire-peer.js';
import { settled } from '../../../testing/src/fake-clock.js';
import { type Handler, journaledProcesses } from '../../test/journaled-processes.js';
import { idempotency } from '../server.js';

/** A promise and the function that settles it. */
function gate<T = void>() {
  let open: (value: T) => void = () => {};
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('a tool call with an idempotency key', () => {
  it('returns the result of the first attempt at every process, and runs the handler once', async () => {
    let runs = 0;
    const { node } = journaledProcesses(({ amount }) => `${amount} paid, run ${++runs}`);
    const [one, other] = [await node(), await node()];
    const first = await one.call('a', { args: { amount: 5 } });
    const second = await other.call('a', { args: { amount: 5 } });
    expect(second.result).toEqual(first.result);
    expect(await one.text('a', { args: { amount: 5 } })).toBe('5 paid, run 1');
    expect(await one.text('b', { args: { amount: 5 } })).toBe('5 paid, run 2');
    expect(runs).toBe(2);
  });

  it('is remembered for the option lifetime', async () => {
    let runs = 0;
    const { node, clock } = journaledProcesses(() => `run ${++runs}`, { lifetime: 60_000 });
    const one = await node();
    await one.call('a');
    await clock.advance(59_999);
    expect(await one.text('a')).toBe('run 1');
    await clock.advance(1);
    expect(await one.text('a')).toBe('run 2');
  });

  it('returns the protocol error that the handler threw', async () => {
    let runs = 0;
    const { node } = journaledProcesses(() => {
      runs += 1;
      throw new RpcError(-32_000, 'No funds', { data: { missing: 3 } });
    });
    const [one, other] = [await node(), await node()];
    const repeated: string[] = [];
    other.server.onEvent(({ type }) => void repeated.push(type));
    const { error } = await one.call('a');
    expect(error).toEqual({ code: -32_000, message: 'No funds', data: { missing: 3 } });
    expect((await other.call('a')).error).toEqual(error);
    expect(runs).toBe(1);
    await vi.waitFor(() => expect(repeated).toContain('call-repeated'));
  });

  it('is an error, and runs no handler, when its record is of an unknown form', async () => {
    let runs = 0;
    const { node, errors } = journaledProcesses(() => `run ${++runs}`);
    const [one, other] = [await node(), await node()];
    await one.call('a');
    for (const value of ['{"steps":[["order"]],"digest":"x"}', '[]', 'null', '{']) {
      vi.spyOn(other.port.state.kv, 'get').mockResolvedValueOnce({ value, version: '1' });
      expect((await other.call('a')).error).toEqual({ code: -32603, message: 'Internal error' });
    }
    expect(runs).toBe(1);
    expect(errors).toHaveLength(4);
    expect(await other.text('a')).toBe('run 1');
  });

  it('is rejected with other arguments', async () => {
    const { node } = journaledProcesses(() => 'paid');
    const one = await node();
    await one.call('a', { args: { amount: 5 } });
    expect((await one.call('a', { args: { amount: 6 } })).error).toEqual({
      code: -32602,
      message: 'params._meta["dev.tenon/idempotency-key"]: names an earlier call with other arguments',
    });
    expect(await one.text('a', { name: 'set', args: { amount: 6 } })).toBe('paid');
  });

  it.each([[''], ['x'.repeat(129)], [5]])('is rejected if the key is %j', async (key) => {
    const one = await journaledProcesses(() => 'paid').node();
    expect(await one.text(key)).toBe(
      'params._meta["dev.tenon/idempotency-key"]: expected a string of 1 to 128 characters',
    );
  });

  it.each(['the same process', 'another process'])('waits for an attempt that runs in %s', async (where) => {
    let runs = 0;
    const { opened, open } = gate<string>();
    const started = gate();
    const { node, clock } = journaledProcesses(() => {
      runs += 1;
      started.open();
      return opened;
    });
    const [one, other] = [await node(), await node()];
    const first = one.text('a');
    await started.opened;
    const again = (where === 'another process' ? other : one).text('a');
    for (let turn = 0; turn < 3; turn++) {
      await clock.armed(1_000);
      await clock.advance(1_000);
    }
    open('paid');
    expect([await first, await again]).toEqual(['paid', 'paid']);
    expect(runs).toBe(1);
  });

  it('runs the handler once for attempts at the same time', async () => {
    let runs = 0;
    const { node } = journaledProcesses(async () => {
      await settled();
      return `run ${++runs}`;
    });
    const nodes = [await node(), await node(), await node()];
    const texts = await Promise.all([...nodes, ...nodes].map((one) => one.text('a')));
    expect(texts).toEqual(Array(6).fill('run 1'));
  });

  it('keeps the result of a handler that finishes after its caller has gone', async () => {
    const { opened, open } = gate<string>();
    const started = gate();
    const { node } = journaledProcesses(() => {
      started.open();
      return opened;
    });
    const [one, other] = [await node(), await node()];
    void one.call('a');
    await started.opened;
    await one.peer.close();
    const again = other.text('a');
    open('paid');
    expect(await again).toBe('paid');
  });

  it('is attempted in each round of input requests', async () => {
    const log: string[] = [];
    const { node } = journaledProcesses(async (_, ctx) => {
      const order = await ctx.once('order', () => `order ${log.push('order')}`);
      const schema = z.object({ sure: z.boolean() });
      await ctx.elicit('sure', { message: 'Sure?', schema });
      return `${order}, ${await ctx.once('payment', () => `payment ${log.push('payment')}`)}`;
    });
    const capabilities = { elicitation: { form: {} } };
    const [one, other] = [await node(capabilities), await node(capabilities)];
    const first = (await one.call('a')).result;
    expect((await other.call('a')).result).toEqual(first);
    expect(first?.resultType).toBe('input_required');
    const more = {
      requestState: first?.requestState,
      inputResponses: { sure: { action: 'accept', content: { sure: true } } },
    };
    expect(await one.text('a', { more })).toBe('order 1, payment 2');
    expect(await other.text('a', { more })).toBe('order 1, payment 2');
    expect(log).toEqual(['order', 'payment']);
  });
});

describe('an attempt after one that was interrupted', () => {
  /** A handler that hangs in its first run, after its steps. */
  function hanging(steps: readonly string[]) {
    const log: string[] = [];
    const hung = gate();
    let runs = 0;
    const handler: Handler = async (_, ctx) => {
      runs += 1;
      const values: unknown[] = [];
      for (const step of steps) values.push(await ctx.once(step, () => `${step} ${log.push(step)}`));
      if (runs > 1) return `${values.join(', ')} in run ${runs}`;
      hung.open();
      return new Promise((_, reject) =>
        ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason)),
      );
    };
    return { handler, log, hung: hung.opened };
  }

  it('finds the values of the steps that ran', async () => {
    const { handler, log, hung } = hanging(['order', 'payment']);
    const { node } = journaledProcesses(handler);
    const [one, other] = [await node(), await node()];
    void one.call('a');
    await hung;
    await one.peer.close();
    expect(await other.text('a')).toBe('order 1, payment 2 in run 2');
    expect(log).toEqual(['order', 'payment']);
  });

  it('finds them after the process has ended', async () => {
    const { handler, hung } = hanging(['order']);
    const { node, clock } = journaledProcesses(handler);
    const [one, other] = [await node(), await node()];
    void one.call('a');
    await hung;
    await one.server[serverPort].processes?.close();
    const again = other.text('a');
    await clock.armed(2_000);
    await clock.advance(2_000);
    expect(await again).toBe('order 1 in run 2');
  });

  it('is rejected if no step ran, and the tool may not run again', async () => {
    const { handler, hung } = hanging([]);
    const { node } = journaledProcesses(handler);
    const [one, other] = [await node(), await node()];
    void one.call('a');
    await hung;
    await one.peer.close();
    expect((await other.call('a')).error).toMatchObject({
      code: -32603,
      message: expect.stringContaining('An earlier attempt of this call was interrupted.'),
    });
  });

  it('runs a tool that may run again', async () => {
    const { handler, hung } = hanging([]);
    const { node } = journaledProcesses(handler);
    const [one, other] = [await node(), await node()];
    void one.call('a', { name: 'set' });
    await hung;
    await one.peer.close();
    expect(await other.text('a', { name: 'set' })).toBe(' in run 2');
  });

  it('runs a handler with a result that was too large again, with the values of its steps', async () => {
    let runs = 0;
    const { node } = journaledProcesses(
      async (_, ctx) => `${await ctx.once('order', () => ++runs)} ${'x'.repeat(500)}`,
      otherBounds({ recordSize: 400 }),
    );
    const [one, other] = [await node(), await node()];
    const first = await one.text('a');
    expect(await other.text('a')).toBe(first);
    expect(runs).toBe(1);
  });

  it('is rejected if a step was too large', async () => {
    const { node } = journaledProcesses(
      async (_, ctx) => {
        await ctx.once('small', () => 1);
        return ctx.once('large', () => 'x'.repeat(500));
      },
      otherBounds({ recordSize: 400 }),
    );
    const [one, other] = [await node(), await node()];
    expect(await one.text('a')).toBe('x'.repeat(500));
    expect(await other.text('a')).toContain('may not run again');
  });

  it('makes the one that seemed gone use its values, and run no step', async () => {
    const slow = gate();
    const begun = gate();
    let runs = 0;
    const payments: number[] = [];
    const { node, clock } = journaledProcesses(async (_, ctx) => {
      const run = ++runs;
      await ctx.once('order', () => run);
      if (run === 1) {
        begun.open();
        await slow.opened;
      }
      return `payment of run ${await ctx.once('payment', () => {
        payments.push(run);
        return run;
      })}`;
    });
    const [one, other] = [await node(), await node()];
    const first = one.text('a');
    await begun.opened;
    // The process does not answer the others any more.
    await one.server[serverPort].processes?.close();
    const again = other.text('a');
    await clock.armed(2_000);
    await clock.advance(2_000);
    expect(await again).toBe('payment of run 2');
    slow.open();
    expect(await first).toBe('payment of run 2');
    expect(payments).toEqual([2]);
  });

  it.each(['pay', 'set'])('rejects the one that seemed gone while the call goes on (%s)', async (name) => {
    const [slow, slower, begun, again] = [gate(), gate(), gate(), gate()];
    const log: string[] = [];
    const { node, clock } = journaledProcesses(async (_, ctx) => {
      const run = await ctx.once('order', () => 1).then(() => log.push('run'));
      (run === 1 ? begun : again).open();
      await (run === 1 ? slow : slower).opened;
      return `payment of run ${await ctx.once('payment', () => {
        log.push(`payment ${run}`);
        return run;
      })}`;
    });
    const [one, other] = [await node(), await node()];
    const first = one.call('a', { name });
    await begun.opened;
    await one.server[serverPort].processes?.close();
    const second = other.text('a', { name });
    await clock.armed(2_000);
    await clock.advance(2_000);
    await again.opened;
    slow.open();
    expect((await first).error).toMatchObject({
      code: -31001,
      message: expect.stringContaining('Another attempt of this call has continued it'),
    });
    slower.open();
    expect(await second).toBe('payment of run 2');
    expect(log).toEqual(['run', 'run', 'payment 2']);
  });
});

describe('the calls of the state', () => {
  const count = async (handler: Handler, key: unknown, name: string) => {
    const one = await journaledProcesses(handler).node();
    await one.peer.request('tools/list');
    await one.call(undefined, { name });
    one.port.calls.length = 0;
    await one.call(key, { name });
    const first = one.port.calls.splice(0);
    await one.call(key, { name });
    return { first, again: one.port.calls.splice(0) };
  };
  const plain: Handler = () => 'done';
  const steps: Handler = async (_, ctx) =>
    [await ctx.once('one', () => 1), await ctx.once('two', () => 2)].join();
  const write = 'compareAndSet';

  it.each([
    ['none without a key', plain, undefined, 'pay', [], []],
    ['none without a key, with steps', steps, undefined, 'pay', [], []],
    ['none for a tool that may run again, without steps', plain, 'a', 'set', [], []],
    ['two for another tool, and two to repeat it', plain, 'a', 'pay', [write, write], [write, 'get']],
    ['two more for each step', steps, 'a', 'pay', [write, 'get', write, 'get', write, write], [write, 'get']],
    [
      'one less for a tool that may run again, with steps',
      steps,
      'a',
      'set',
      [write, write, 'get', write, write],
      [write, 'get'],
    ],
  ] as const)('are %s', async (...[, handler, key, name, first, again]) => {
    expect(await count(handler, key, name)).toEqual({ first, again });
  });

  it('are in the documentation', () => {
    const page = readFileSync(new URL('../../../../docs/internals/scale.md', import.meta.url), 'utf8');
    expect(page).toContain(
      '| a call of 2026-07-28 with an idempotency key | 2 `kv.compareAndSet` | none | yes |\n',
    );
  });
});

describe('the journal', () => {
  it('is declared in the stateless revision, by servers with shared state', async () => {
    const { server } = await journaledProcesses(() => 'paid').node();
    const peer = await WirePeer.open(server, latestStateless);
    const { result } = await peer.request('server/discover');
    expect(result?.capabilities?.extensions).toEqual({ 'dev.tenon/idempotency-key': {} });
    const extensions = [idempotency()];
    const alone = createServer({ name: 'test', version: '1' }, { extensions }) as unknown as Server;
    const other = await WirePeer.open(alone, latestStateless);
    expect((await other.request('server/discover')).result?.capabilities).not.toHaveProperty('extensions');
  });

  it('belongs to one server', () => {
    const extensions = [idempotency()];
    const options = { state: new SharedMemory().open(), extensions };
    createServer({ name: 'test', version: '1' }, options);
    expect(() => createServer({ name: 'test', version: '1' }, options)).toThrow(
      'Call idempotency() once for each server.',
    );
  });

  it.each(everyRevision.filter((one) => one.lifecycle === 'handshake'))(
    'is not used in $id',
    async (revision) => {
      let runs = 0;
      const one = await journaledProcesses(() => `run ${++runs}`).node({}, revision);
      expect([await one.text('a'), await one.text('a')]).toEqual(['run 1', 'run 2']);
    },
  );
});
