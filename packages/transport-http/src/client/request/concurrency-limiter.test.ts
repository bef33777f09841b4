import { describe, expect, it } from 'vitest';
import { ConcurrencyLimiter, type LimitedTask } from './concurrency-limiter.js';

function rig(limit: number) {
  const begun: string[] = [];
  const limiter = new ConcurrencyLimiter(limit);
  const enter = (name: string): LimitedTask => {
    const task = { begin: () => void begun.push(name) };
    limiter.enter(task);
    return task;
  };
  return { begun, limiter, enter };
}

describe('ConcurrencyLimiter', () => {
  it('starts waiting tasks in order, without those that left', () => {
    const { begun, limiter, enter } = rig(1);
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(enter) as [
      LimitedTask,
      LimitedTask,
      LimitedTask,
      LimitedTask,
    ];
    limiter.leave(c);
    expect(begun).toEqual(['a']);
    limiter.leave(a);
    expect(begun).toEqual(['a', 'b']);
    limiter.leave(b);
    expect(begun).toEqual(['a', 'b', 'd']);
    limiter.leave(d);
    enter('e');
    expect(begun).toEqual(['a', 'b', 'd', 'e']);
  });

  it('frees one slot for a task that leaves twice', () => {
    const { begun, limiter, enter } = rig(1);
    const first = enter('a');
    for (const name of ['b', 'c']) enter(name);
    limiter.leave(first);
    limiter.leave(first);
    expect(begun).toEqual(['a', 'b']);
  });

  it('removes the first and the last waiting task', () => {
    const { begun, limiter, enter } = rig(1);
    const [a, b, , d] = ['a', 'b', 'c', 'd'].map(enter) as [
      LimitedTask,
      LimitedTask,
      LimitedTask,
      LimitedTask,
    ];
    limiter.leave(b);
    limiter.leave(d);
    enter('e');
    limiter.leave(a);
    expect(begun).toEqual(['a', 'c']);
  });
});
