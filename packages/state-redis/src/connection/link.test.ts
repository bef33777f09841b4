import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock, settled } from '../../../testing/src/fake-clock.js';
import { Link, type LinkSettings } from './link.js';
import type { Wire, WireOwner } from './wire.js';

/** A wire that a test breaks. */
class FakeWire implements Wire {
  readonly partial: boolean;
  readonly owner: WireOwner;
  destroyed = false;
  ping = async (): Promise<void> => {};

  constructor(owner: WireOwner, partial: boolean) {
    this.owner = owner;
    this.partial = partial;
  }

  send = async () => undefined;
  publish = async () => undefined;
  subscribe = async () => {};
  unsubscribe = async () => {};
  destroy(): void {
    this.destroyed = true;
  }
}

const refused = new Error('refused');

describe('Link', () => {
  let clock: FakeClock;
  let wires: FakeWire[];
  let events: string[];
  /** Attempts to open that fail, from the next one on. */
  let refusals: number;

  beforeEach(() => {
    clock = new FakeClock();
    wires = [];
    events = [];
    refusals = 0;
  });

  function link(settings: Partial<LinkSettings> = {}, partial = false): Link {
    return new Link({
      open: async (owner) => {
        if (refusals > 0) {
          refusals -= 1;
          throw refused;
        }
        const wire = new FakeWire(owner, partial);
        wires.push(wire);
        return wire;
      },
      timeout: 1_000,
      reconnectDelay: 400,
      schedule: (task, ms) => clock.schedule(task, ms),
      random: () => 1,
      onDown: ({ message }) => {
        events.push(message);
      },
      onUp: () => {
        events.push('up');
      },
      ...settings,
    });
  }

  it('makes first callers wait for the first wire, and opens it once', async () => {
    const one = link();
    const [first, second] = await Promise.all([one.current(), one.current()]);
    expect(first).toBe(wires[0]);
    expect(second).toBe(first);
    expect(one.current()).toBe(first);
    expect(events).toEqual(['up']);
  });

  it('doubles the pause between attempts up to its bound, and spreads its second half at random', async () => {
    refusals = 7;
    const one = link();
    await expect(Promise.resolve(one.current())).rejects.toMatchObject({
      reason: 'unavailable',
      cause: refused,
    });
    const pauses = [];
    for (let attempt = 0; attempt < 6; attempt++) pauses.push(await clock.pass());
    expect(pauses).toEqual([50, 100, 200, 400, 400, 400]);
    const other = link({ random: () => 0 });
    refusals = 1;
    await expect(Promise.resolve(other.current())).rejects.toThrow();
    expect(clock.waiting).toContain(25);
  });

  it('throws while the connection is lost, with the cause', async () => {
    const one = link();
    await one.current();
    wires[0]?.owner.onLost(new Error('reset'));
    expect(wires[0]?.destroyed).toBe(true);
    expect(() => one.current()).toThrow(
      expect.objectContaining({ reason: 'unavailable', cause: new Error('reset') }),
    );
    await clock.advance(50);
    expect(one.current()).toBe(wires[1]);
    expect(events).toEqual(['up', 'reset', 'up']);
  });

  it('keeps pausing longer while connections are lost soon after they opened, and starts again after a PING', async () => {
    const one = link();
    await one.current();
    const pauses: number[] = [];
    for (let loss = 0; loss < 3; loss++) {
      wires.at(-1)?.owner.onLost(refused);
      pauses.push(await clock.pass());
    }
    await clock.advance(1_000);
    wires.at(-1)?.owner.onLost(refused);
    pauses.push(await clock.pass());
    expect(pauses).toEqual([50, 100, 200, 50]);
  });

  it('opens another wire when a PING has no answer, or is rejected', async () => {
    const one = link();
    await one.current();
    for (const ping of [() => new Promise<void>(() => {}), () => Promise.reject(refused)]) {
      const wire = wires.at(-1);
      if (wire !== undefined) wire.ping = ping;
      await clock.advance(2_000);
      expect(wire?.destroyed).toBe(true);
      await clock.advance(400);
      expect(one.isUp).toBe(true);
    }
    expect(events).toEqual(['up', 'Redis did not answer a PING within 1000 ms.', 'up', 'refused', 'up']);
  });

  it('keeps a partial wire until the next one is prepared', async () => {
    let prepared = () => {};
    const seen: (Wire | undefined)[] = [];
    const one = link(
      {
        prepare: (wire) => {
          seen.push(wire);
          if (seen.length === 1) return Promise.resolve();
          return new Promise((resolve) => {
            prepared = resolve;
          });
        },
      },
      true,
    );
    await one.current();
    wires[0]?.owner.onLost(new Error('a node is gone'));
    expect([one.isUp, one.current()]).toEqual([false, wires[0]]);
    await clock.advance(50);
    expect(one.current()).toBe(wires[0]);
    prepared();
    await settled();
    expect(one.current()).toBe(wires[1]);
    expect([wires[0]?.destroyed, wires[1]?.destroyed]).toEqual([true, false]);
  });

  it('destroys a wire that could not be prepared or was lost meanwhile, and tries again', async () => {
    let attempts = 0;
    const one = link({
      prepare: async () => {
        attempts += 1;
        if (attempts === 1) throw refused;
        if (attempts === 2) wires.at(-1)?.owner.onLost(new Error('lost meanwhile'));
      },
    });
    await expect(Promise.resolve(one.current())).rejects.toThrow();
    await clock.advance(1_000);
    expect(wires.map(({ destroyed }) => destroyed)).toEqual([true, true, false]);
    expect(events).toEqual(['refused', 'lost meanwhile', 'up']);
  });

  it('does not keep a wire that was lost in the moment it opened', async () => {
    const one = link({
      prepare: async () => {
        const wire = wires.at(-1);
        if (wires.length === 1)
          queueMicrotask(() => queueMicrotask(() => wire?.owner.onLost(new Error('at once'))));
      },
    });
    await Promise.resolve(one.current()).catch(() => {});
    await clock.advance(50);
    expect(one.current()).toBe(wires[1]);
    expect(wires[0]?.destroyed).toBe(true);
  });

  it('gives up an attempt after the time limit, and destroys a wire that opens later', async () => {
    let opened = (_: Wire) => {};
    let signal: AbortSignal | undefined;
    const one = link({
      open: (owner) => {
        signal = owner.signal;
        return new Promise((resolve) => {
          opened = resolve;
        });
      },
    });
    const first = Promise.resolve(one.current());
    const failed = expect(first).rejects.toMatchObject({ reason: 'unavailable' });
    await clock.advance(1_000);
    await failed;
    expect(signal?.aborted).toBe(true);
    const late = new FakeWire({ onLost: () => {}, signal: new AbortController().signal }, false);
    opened(late);
    await settled();
    expect(late.destroyed).toBe(true);
  });

  it('leaves no timer and no wire when it closes', async () => {
    const one = link();
    await one.current();
    one.close();
    expect(wires[0]?.destroyed).toBe(true);
    expect(clock.waiting).toEqual([]);
    const down = link();
    refusals = 1;
    await expect(Promise.resolve(down.current())).rejects.toThrow();
    down.close();
    expect(clock.waiting).toEqual([]);
  });
});
