import { StateError } from '@tenon/mcp-state';
import { describe, expect, it, vi } from 'vitest';
import { journaledProcesses } from '../../test/journaled-processes.js';

describe('an outage of the state', () => {
  it('rejects calls with a key, except of tools that may run again', async () => {
    const { node, memory, errors } = journaledProcesses(async (_, ctx) => ctx.once('order', () => 'order'));
    const one = await node();
    memory.interrupt();
    expect((await one.call('a')).error).toEqual({
      code: -31001,
      message:
        'Whether this call was made before is unknown, because the state of the server cannot be reached; try again later.',
    });
    expect(await one.text('a', { name: 'set' })).toBe('order');
    expect(await one.text(undefined)).toBe('order');
    expect(errors.filter((error) => error.startsWith('tools/call: StateError'))).toHaveLength(2);
    memory.restore();
    expect(await one.text('a')).toBe('order');
  });

  it('delays a step until its value is kept', async () => {
    const runs: string[] = [];
    const { node, memory, clock, errors } = journaledProcesses(async (_, ctx) => {
      const order = await ctx.once('order', () => {
        memory.interrupt();
        return `order ${runs.push('order')}`;
      });
      return `${order} in run ${runs.push('handler')}`;
    });
    const [one, other] = [await node(), await node()];
    const first = one.text('a');
    await clock.armed(500);
    await clock.advance(500);
    await clock.armed(1_000);
    memory.restore();
    await clock.advance(1_000);
    expect(await first).toBe('order 1 in run 2');
    expect(await other.text('a')).toBe('order 1 in run 2');
    expect(errors.filter((error) => error.startsWith('tools/call: StateError'))).toHaveLength(1);
  });

  it('ends a call with an error that allows another attempt when the state is full for longer than 30 s', async () => {
    let refuse = () => {};
    const { node, clock } = journaledProcesses(async (_, ctx) => {
      const order = await ctx.once('order', () => 'order');
      const payment = await ctx.once('payment', () => {
        refuse();
        return 'payment';
      });
      return `${order}, ${payment}`;
    });
    const one = await node();
    refuse = () => {
      const full = new StateError('full', 'State: it is full.');
      vi.spyOn(one.port.state.kv, 'compareAndSet').mockRejectedValue(full);
      refuse = () => {};
    };
    const call = one.call('a');
    await clock.armed(500);
    for (let passed = 0; passed < 35_000; passed += 500) await clock.advance(500);
    vi.restoreAllMocks();
    expect((await call).error).toEqual({
      code: -31001,
      message: 'The value of a step could not be stored, and the call was abandoned; try again later.',
    });
    expect(await one.text('a')).toBe('order, payment');
  });

  it('does not delay a tool that may run again', async () => {
    const { node, memory } = journaledProcesses(async (_, ctx) => {
      const order = await ctx.once('order', () => 'order');
      return ctx.once('payment', () => {
        memory.interrupt();
        return `${order}, payment`;
      });
    });
    expect(await (await node()).text('a', { name: 'set' })).toBe('order, payment');
  });

  it('does not change the result of a call that has run', async () => {
    const { node, memory, errors } = journaledProcesses(() => {
      memory.interrupt();
      return 'paid';
    });
    const one = await node();
    expect(await one.text('a')).toBe('paid');
    expect(errors).toEqual([expect.stringContaining('tools/call: StateError')]);
  });

  it.each([
    ['full', 'paid'],
    ['unavailable', 'paid'],
    ['full for longer than 30 s', 'The result does not fit into the state of the server: it is full.'],
  ])('does not make a handler run again that has returned while the state is %s', async (kind, text) => {
    let runs = 0;
    let fail = () => {};
    const { node, clock, errors } = journaledProcesses(async (_, ctx) => {
      await ctx.once('order', () => 'order');
      runs += 1;
      fail();
      return 'paid';
    });
    const [one, other] = [await node(), await node()];
    const reason = kind === 'unavailable' ? 'unavailable' : 'full';
    fail = () => {
      vi.spyOn(one.port.state.kv, 'compareAndSet').mockRejectedValue(new StateError(reason, 'State: no.'));
    };
    expect(await one.text('a')).toBe('paid');
    const again = other.call('a');
    for (let passed = 0; passed < (kind === reason ? 8_000 : 45_000); passed += 500) await clock.advance(500);
    vi.restoreAllMocks();
    for (let passed = 0; passed < 6_000; passed += 500) await clock.advance(500);
    const { result, error } = await again;
    expect(error?.message ?? result?.content?.[0]?.text).toBe(text);
    expect(errors.filter((message) => message.startsWith('tools/call: StateError'))).toHaveLength(1);
    expect(runs).toBe(1);
  });
});
