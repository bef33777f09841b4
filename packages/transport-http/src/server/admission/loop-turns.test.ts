import { describe, expect, it } from 'vitest';
import { LoopTurns } from './loop-turns.js';

const long = 1_048_576;
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('LoopTurns', () => {
  it('runs tasks at once while the bodies and answers of the turn are short', () => {
    const turns = new LoopTurns();
    const ran: number[] = [];
    turns.spend('a', long - 1);
    turns.run('a', () => ran.push(1));
    turns.run('a', () => ran.push(2));
    expect(ran).toEqual([1, 2]);
    expect(turns.isBusy('a')).toBe(false);
  });

  it('runs the tasks of other addresses at once while one address waits', () => {
    const turns = new LoopTurns();
    const ran: string[] = [];
    turns.spend('a', long);
    for (const address of ['a', 'b', undefined, 'a']) turns.run(address, () => ran.push(String(address)));
    expect(ran).toEqual(['b', 'undefined']);
  });

  it('runs one long task in each turn, of each address after the other', async () => {
    const turns = new LoopTurns();
    const ran: string[] = [];
    const task = (address: string, name: string) => () => {
      ran.push(name);
      turns.spend(address, long);
    };
    for (const name of ['a1', 'a2', 'a3']) turns.run('a', task('a', name));
    for (const name of ['b1', 'b2']) turns.run('b', task('b', name));
    const turn = [ran.splice(0)];
    while (turns.isBusy('a') || turns.isBusy('b')) {
      await nextTurn();
      turn.push(ran.splice(0));
    }
    expect(turn).toEqual([['a1', 'b1'], ['a2'], ['b2'], ['a3'], []]);
  });

  it('runs eight waiting tasks in each turn, because their answers may be long', async () => {
    const turns = new LoopTurns();
    let ran = 0;
    turns.spend('a', long);
    for (let task = 0; task < 20; task++) turns.run('a', () => ran++);
    const perTurn: number[] = [];
    while (turns.isBusy('a')) {
      await nextTurn();
      perTurn.push(ran - perTurn.reduce((sum, one) => sum + one, 0));
    }
    expect(perTurn).toEqual([8, 8, 4]);
  });

  it('runs tasks at once again when none waits', async () => {
    const turns = new LoopTurns();
    const ran: string[] = [];
    turns.spend('a', long);
    turns.run('a', () => ran.push('waited'));
    expect(ran).toEqual([]);
    await nextTurn();
    turns.run('a', () => ran.push('at once'));
    expect(ran).toEqual(['waited', 'at once']);
  });
});
