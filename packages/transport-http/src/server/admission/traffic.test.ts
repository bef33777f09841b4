import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../testing/src/fake-clock.js';
import { httpBoundsOf } from '../call/http-limits.js';
import { Traffic } from './traffic.js';

const second = 1_000;

/** An answer on a connection without a network: bytes that were written and not read stay unread. */
function connected(limits: object = {}, writeTimeout = 60 * second) {
  const clock = new FakeClock();
  const traffic = new Traffic({
    limits: { ...httpBoundsOf(), readRate: 1_000, ...limits },
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
  it('loses its connection after the time limit and the time of the rate', async () => {
    const { clock, traffic, open } = connected();
    const one = open('x');
    one.write(30_000);
    await clock.advance(89 * second);
    expect(one.isOpen).toBe(true);
    await clock.advance(10 * second);
    expect(one.isOpen).toBe(false);
    expect([traffic.unread.held, one.connection.waiting]).toEqual([0, 0]);
  });

  it('has a limit on its connection, beside one message that is larger by itself', () => {
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

  it('shares a limit with all connections of its address', () => {
    const { traffic, open } = connected({ unreadPerAddress: 100_000, unreadTotal: 150_000 });
    const mine = Array.from({ length: 30 }, () => open('x'));
    const other = open('y');
    other.write(20_000);
    for (const one of mine) one.write(10_000);
    expect(traffic.unread.heldFor('x')).toBeLessThanOrEqual(100_000);
    expect(mine.filter(({ isOpen }) => !isOpen)).toHaveLength(20);
    expect(other.isOpen).toBe(true);
  });

  it('shares a limit with all clients: the address with the most bytes loses a connection', () => {
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
  it('keeps its connection if it reads as fast as the rate requires', async () => {
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

  it('keeps its connection although some bytes are always unread', async () => {
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

  it('loses its connection below the rate: single bytes do not restart the time limit', async () => {
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

  it('loses its connection below the rate while more is written', async () => {
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
  it('is identified by its socket, and stops counting after its close', () => {
    const { traffic, open } = connected();
    const one = open('x');
    expect(traffic.connection(one.socket)).toBe(one.connection);
    one.write(10_000);
    one.socket.destroy();
    expect([traffic.unread.held, traffic.unread.heldFor('x')]).toEqual([0, 0]);
  });

  it('of a proxy counts in turn for each client with answers on it', () => {
    const { traffic, open } = connected();
    const one = open('x');
    one.write(10_000);
    one.finish();
    one.connection.count({ remoteAddress: 'y', waiting: () => 500 }, 500, 1_000_000);
    expect([traffic.unread.heldFor('x'), traffic.unread.heldFor('y')]).toEqual([0, 500]);
  });

  it('needs no timer while nothing is unread', async () => {
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
