import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/manual-clock.js';
import { httpLimits } from '../endpoint/http-limits.js';
import { Traffic } from './traffic.js';

const second = 1_000;

/** An answer on a connection without a network: what was written and not read waits. */
function connected(limits: object = {}, writeTimeout = 60 * second) {
  const clock = new ManualClock();
  const traffic = new Traffic({
    limits: httpLimits({ readRate: 1_000, ...limits }),
    clock,
    writeTimeout,
  });
  const open = (remoteAddress?: string, most = 1_000_000) => {
    const state = { waits: 0, isOpen: true };
    let close = () => {};
    const socket = {
      destroy: () => {
        state.isOpen = false;
        close();
      },
      once: (_event: 'close', task: () => void) => (close = task),
    };
    const connection = traffic.connection(socket);
    const answer = { remoteAddress, waiting: () => state.waits };
    return {
      connection,
      socket,
      get isOpen() {
        return state.isOpen;
      },
      write: (bytes: number) => {
        state.waits += bytes;
        connection.count(answer, bytes, most);
      },
      read: (bytes: number) => {
        state.waits = Math.max(0, state.waits - bytes);
      },
      finish: () => {
        state.waits = 0;
        connection.forget(answer);
      },
    };
  };
  return { clock, traffic, open };
}

describe('a client that does not read', () => {
  it('loses its connection after the time limit and what the rate grants', async () => {
    const { clock, traffic, open } = connected();
    const one = open('x');
    one.write(30_000);
    await clock.advance(89 * second);
    expect(one.isOpen).toBe(true);
    await clock.advance(10 * second);
    expect(one.isOpen).toBe(false);
    expect([traffic.unread.held, one.connection.waiting]).toEqual([0, 0]);
  });

  it('has a bound on its connection, beside one message that is larger by itself', () => {
    const { open } = connected();
    const large = open('x', 100_000);
    large.write(500_000);
    large.write(10);
    expect(large.isOpen).toBe(true);
    large.write(99_000);
    large.write(9_000);
    expect(large.isOpen).toBe(false);
    const many = open('x', 100_000);
    for (let count = 0; count < 10; count++) many.write(10_000);
    expect(many.isOpen).toBe(true);
    many.write(10_000);
    expect(many.isOpen).toBe(false);
  });

  it('shares a bound with all connections of its address', () => {
    const { traffic, open } = connected({ unreadPerAddress: 100_000, unreadTotal: 150_000 });
    const mine = Array.from({ length: 30 }, () => open('x'));
    const other = open('y');
    other.write(20_000);
    for (const one of mine) one.write(10_000);
    expect(traffic.unread.heldFor('x')).toBeLessThanOrEqual(100_000);
    expect(mine.filter(({ isOpen }) => !isOpen)).toHaveLength(20);
    expect(other.isOpen).toBe(true);
  });

  it('shares a bound with everybody: the address that holds most gives way', () => {
    const { traffic, open } = connected({ unreadPerAddress: 100_000, unreadTotal: 150_000 });
    const crowds = ['x', 'y', 'z'].flatMap((address) => Array.from({ length: 9 }, () => open(address)));
    const honest = open('h');
    honest.write(30_000);
    for (const one of crowds) one.write(10_000);
    expect(traffic.unread.held).toBeLessThanOrEqual(150_000);
    expect(honest.isOpen).toBe(true);
  });
});

describe('a client that reads slowly', () => {
  it('keeps its connection while it reads as fast as the rate asks for', async () => {
    const { clock, open } = connected();
    const one = open('x');
    one.write(600_000);
    for (let time = 0; time < 600; time += 10) {
      expect(one.isOpen).toBe(true);
      one.read(10_000);
      await clock.advance(10 * second);
    }
    one.finish();
    await clock.advance(600 * second);
    expect(one.isOpen).toBe(true);
  });

  it('keeps its connection although something always waits', async () => {
    const { clock, open } = connected();
    const one = open('x');
    one.write(50_000);
    for (let time = 0; time < 1_000; time += 10) {
      one.read(10_000);
      one.write(10_000);
      await clock.advance(10 * second);
    }
    expect([one.isOpen, one.connection.waiting]).toEqual([true, 50_000]);
  });

  it('loses its connection where it trickles: the time limit does not begin anew with each byte', async () => {
    const { clock, open } = connected();
    const one = open('x');
    one.write(30_000);
    let time = 0;
    for (; one.isOpen && time < 1_000; time += 10) {
      one.read(1);
      await clock.advance(10 * second);
    }
    expect([one.isOpen, time <= 130]).toEqual([false, true]);
  });

  it('loses its connection where it trickles while more is written', async () => {
    const { clock, open } = connected();
    const one = open('x');
    one.write(30_000);
    let time = 0;
    for (; one.isOpen && time < 1_000; time += 10) {
      one.read(1);
      one.write(5);
      await clock.advance(10 * second);
    }
    expect([one.isOpen, time <= 130]).toEqual([false, true]);
  });
});

describe('a connection', () => {
  it('is known by its socket, and counts nothing any more once that is closed', () => {
    const { traffic, open } = connected();
    const one = open('x');
    expect(traffic.connection(one.socket)).toBe(one.connection);
    one.write(10_000);
    one.socket.destroy();
    expect([traffic.unread.held, traffic.unread.heldFor('x')]).toEqual([0, 0]);
  });

  it('of a proxy counts for each of the clients whose answers it carries in turn', () => {
    const { traffic, open } = connected();
    const one = open('x');
    one.write(10_000);
    one.finish();
    one.connection.count({ remoteAddress: 'y', waiting: () => 500 }, 500, 1_000_000);
    expect([traffic.unread.heldFor('x'), traffic.unread.heldFor('y')]).toEqual([0, 500]);
  });

  it('needs no timer while nothing waits', async () => {
    const { clock, open } = connected();
    const one = open('x');
    expect(clock.waiting).toEqual([]);
    one.write(10_000);
    expect(clock.waiting).toHaveLength(1);
    one.finish();
    await clock.advance(60 * second);
    expect(clock.waiting).toEqual([]);
  });
});
