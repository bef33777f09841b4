import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../testing/src/fake-clock.js';
import { LoopTurns } from './loop-turns.js';

const long = 1_048_576;
const short = 1_000;
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const at = (remoteAddress: string | undefined) => ({ remoteAddress });

/** The tasks of each turn of the loop, until none waits. Each long one takes so many milliseconds. */
function recorder(took = 0) {
  const clock = new FakeClock();
  const turns = new LoopTurns(clock);
  let ran: string[] = [];
  const run = (caller: string, name: string, bytes: number) =>
    turns.run(at(caller), bytes, () => {
      ran.push(name);
      if (bytes === long) clock.stall(took);
    });
  /** Returns what ran since the last call. */
  const recorded = () => {
    const before = ran;
    ran = [];
    return before;
  };
  const turn = async () => {
    await nextTurn();
    return recorded();
  };
  return { clock, turns, run, recorded, turn };
}

describe('LoopTurns', () => {
  it('runs short tasks at once while the bodies and answers of the turn are short', () => {
    const { turns, run, recorded } = recorder();
    turns.spend(at('a'), long - 1);
    run('a', 'a1', short);
    run('a', 'a2', short);
    expect(recorded()).toEqual(['a1', 'a2']);
    expect(turns.mustWait(at('a'), short)).toBe(false);
  });

  it('runs the short tasks of other callers at once while one caller waits', () => {
    const { turns, run, recorded } = recorder();
    turns.spend(at('a'), long);
    for (const caller of ['a', 'b', 'c', 'a']) run(caller, caller, short);
    expect(recorded()).toEqual(['b', 'c']);
    expect(turns.mustWait(at(undefined), short)).toBe(false);
  });

  it('runs one long task in each turn, of each caller after the other', async () => {
    const { run, recorded, turn } = recorder();
    for (const name of ['a1', 'a2', 'a3']) run('a', name, long);
    for (const name of ['b1', 'b2']) run('b', name, long);
    for (const name of ['c1', 'd1']) run(name.slice(0, 1), name, short);
    expect(recorded()).toEqual(['a1', 'c1', 'd1']);
    const order: string[][] = [];
    for (let count = 0; count < 5; count++) order.push(await turn());
    expect(order).toEqual([['a2'], ['b1'], ['a3'], ['b2'], []]);
  });

  it('counts the principals of one address as different callers', async () => {
    const { turns } = recorder();
    const ran: string[] = [];
    const from = (id: string) => ({ principal: { id }, remoteAddress: '192.0.2.1' });
    for (const name of ['a1', 'a2', 'a3']) turns.run(from('a'), long, () => ran.push(name));
    turns.run(from('b'), long, () => ran.push('b1'));
    turns.run(from('b'), short, () => ran.push('b2'));
    turns.run(from('c'), short, () => ran.push('c1'));
    for (let count = 0; count < 4; count++) await nextTurn();
    expect(ran).toEqual(['a1', 'c1', 'a2', 'b1', 'a3', 'b2']);
  });

  it('leaves the loop to others after a long task for as long as it took', async () => {
    const { clock, run, recorded, turn } = recorder(400);
    for (const name of ['a1', 'a2', 'a3']) run('a', name, long);
    run('b', 'b1', long);
    expect(recorded()).toEqual(['a1']);
    for (let count = 0; count < 5; count++) {
      run('c', `c${count}`, short);
      expect(await turn()).toEqual([`c${count}`]);
    }
    await clock.advance(399);
    expect(await turn()).toEqual([]);
    await clock.advance(1);
    expect(await turn()).toEqual(['a2']);
    expect(await turn()).toEqual([]);
    await clock.advance(400);
    expect(await turn()).toEqual(['b1']);
  });

  it('does not run between two long tasks while no caller has to wait', async () => {
    const { clock, run, recorded, turn } = recorder(5_000);
    run('a', 'a1', long);
    await turn();
    expect(clock.waiting).toEqual([1_000]);
    await clock.advance(1_000);
    expect(clock.waiting).toEqual([]);
    run('b', 'b1', long);
    expect(recorded()).toEqual(['b1']);
  });

  it('runs the short tasks of a caller after its long ones, and those of others while these wait', async () => {
    const { clock, turns, run, recorded, turn } = recorder(400);
    run('a', 'a1', long);
    run('a', 'a2', long);
    run('a', 'a3', short);
    turns.spend(at('b'), long);
    run('b', 'b1', short);
    expect(recorded()).toEqual(['a1']);
    expect(await turn()).toEqual(['b1']);
    expect(await turn()).toEqual([]);
    await clock.advance(400);
    expect(await turn()).toEqual(['a2']);
    expect(await turn()).toEqual(['a3']);
  });

  it('runs eight waiting short tasks in each turn, because their answers may be long', async () => {
    const { turns, run, turn } = recorder();
    turns.spend(at('a'), long);
    for (let task = 0; task < 20; task++) run('a', 'a', short);
    const perTurn: number[] = [];
    while (turns.mustWait(at('a'), short)) perTurn.push((await turn()).length);
    expect(perTurn).toEqual([8, 8, 4]);
  });

  it('runs tasks at once again when none waits', async () => {
    const { turns, run, recorded, turn } = recorder();
    turns.spend(at('a'), long);
    run('a', 'waited', short);
    expect(recorded()).toEqual([]);
    expect(await turn()).toEqual(['waited']);
    run('a', 'at once', short);
    expect(recorded()).toEqual(['at once']);
  });
});
