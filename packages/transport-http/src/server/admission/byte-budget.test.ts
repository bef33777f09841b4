import { describe, expect, it } from 'vitest';
import { ByteBudget } from './byte-budget.js';

/** A budget with named holders, and the names of those that were cut off. */
function budget(perAddress: number, total: number) {
  const sums = new ByteBudget({ perAddress, total });
  const cut: string[] = [];
  const holder = (name: string, address?: string) => sums.holder(address, () => cut.push(name));
  return { sums, cut, holder };
}

describe('bytes of one address', () => {
  it('are summed over its holders, and freed', () => {
    const { sums, cut, holder } = budget(100, 1_000);
    const [a, b] = [holder('a', 'x'), holder('b', 'x')];
    a.hold(40);
    b.hold(60);
    a.hold(30);
    expect([sums.held, sums.heldFor('x'), cut]).toEqual([90, 90, []]);
    a.hold(0);
    b.hold(0);
    expect([sums.held, sums.heldFor('x')]).toEqual([0, 0]);
  });

  it('above the limit cut off the holder with the most, and no other', () => {
    const { sums, cut, holder } = budget(100, 1_000);
    holder('small', 'x').hold(10);
    holder('large', 'x').hold(60);
    holder('other address', 'y').hold(90);
    holder('newest', 'x').hold(50);
    expect(cut).toEqual(['large']);
    expect([sums.heldFor('x'), sums.heldFor('y'), sums.held]).toEqual([60, 90, 150]);
  });

  it('above the limit of a single holder do not cut it off until there is another', () => {
    const { sums, cut, holder } = budget(100, 1_000);
    const alone = holder('alone', 'x');
    alone.hold(200);
    expect(cut).toEqual([]);
    holder('another', 'x').hold(1);
    expect(cut).toEqual(['alone']);
    expect([alone.held, sums.heldFor('x')]).toEqual([0, 1]);
  });

  it('may cut off the holder that adds bytes', () => {
    const { cut, holder } = budget(100, 1_000);
    holder('quiet', 'x').hold(40);
    const greedy = holder('greedy', 'x');
    for (let held = 10; held <= 70; held += 10) greedy.hold(held);
    expect(cut).toEqual(['greedy']);
    expect(greedy.held).toBe(0);
  });
});

describe('bytes in total', () => {
  it('above the limit cut off the largest holder of the address with the most', () => {
    const { sums, cut, holder } = budget(100, 200);
    for (const name of ['x1', 'x2', 'x3']) holder(name, 'x').hold(30);
    holder('y', 'y').hold(60);
    const z = holder('z', 'z');
    z.hold(50);
    z.hold(61);
    expect(cut).toEqual(['x1']);
    expect(sums.held).toBe(181);
  });

  it('count holders without an address separately', () => {
    const { cut, holder } = budget(100, 200);
    holder('small').hold(20);
    holder('large').hold(120);
    holder('x', 'x').hold(90);
    expect(cut).toEqual(['large']);
  });

  it('of a single holder do not cut it off', () => {
    const { cut, holder } = budget(100, 200);
    holder('alone').hold(500);
    expect(cut).toEqual([]);
  });
});

it('a holder changes its address only while it holds nothing', () => {
  const { sums, holder } = budget(100, 200);
  const one = holder('one', 'x');
  one.hold(10);
  one.move('y');
  expect([one.address, sums.heldFor('x')]).toEqual(['x', 10]);
  one.hold(0);
  one.move('y');
  one.hold(5);
  expect([sums.heldFor('x'), sums.heldFor('y')]).toEqual([0, 5]);
});
