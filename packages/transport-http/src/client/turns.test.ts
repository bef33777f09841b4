import { describe, expect, it } from 'vitest';
import { type Turn, Turns } from './turns.js';

function rig(limit: number) {
  const begun: string[] = [];
  const turns = new Turns(limit);
  const enter = (name: string): Turn => {
    const turn = { begin: () => void begun.push(name) };
    turns.enter(turn);
    return turn;
  };
  return { begun, turns, enter };
}

describe('Turns', () => {
  it('lets the next begin in the order they came, without those who left', () => {
    const { begun, turns, enter } = rig(1);
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(enter) as [Turn, Turn, Turn, Turn];
    turns.leave(c);
    expect(begun).toEqual(['a']);
    turns.leave(a);
    expect(begun).toEqual(['a', 'b']);
    turns.leave(b);
    expect(begun).toEqual(['a', 'b', 'd']);
    turns.leave(d);
    enter('e');
    expect(begun).toEqual(['a', 'b', 'd', 'e']);
  });

  it('makes room once for one that leaves twice', () => {
    const { begun, turns, enter } = rig(1);
    const first = enter('a');
    for (const name of ['b', 'c']) enter(name);
    turns.leave(first);
    turns.leave(first);
    expect(begun).toEqual(['a', 'b']);
  });

  it('takes out the first and the last of those who wait', () => {
    const { begun, turns, enter } = rig(1);
    const [a, b, , d] = ['a', 'b', 'c', 'd'].map(enter) as [Turn, Turn, Turn, Turn];
    turns.leave(b);
    turns.leave(d);
    enter('e');
    turns.leave(a);
    expect(begun).toEqual(['a', 'c']);
  });
});
