import { describe, expect, it } from 'vitest';
import { ByteBudget } from './byte-budget.js';

/** A budget whose holders are known by name, and the names of those that were cut off. */
function budget(perAddress: number, total: number) {
  const sums = new ByteBudget({ perAddress, total });
  const cut: string[] = [];
  const holder = (name: string, address?: string) => sums.holder(address, () => cut.push(name));
  return { sums, cut, holder };
}

describe('bytes of one address', () => {
  it('are summed up over its holders, and freed', () => {
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

  it('past the bound: the holder with the most is cut off, others live on', () => {
    const { sums, cut, holder } = budget(100, 1_000);
    holder('small', 'x').hold(10);
    holder('large', 'x').hold(60);
    holder('other address', 'y').hold(90);
    holder('newest', 'x').hold(50);
    expect(cut).toEqual(['large']);
    expect([sums.heldFor('x'), sums.heldFor('y'), sums.held]).toEqual([60, 90, 150]);
  });

  it('past the bound by one holder alone: it lives on, until another comes', () => {
    const { sums, cut, holder } = budget(100, 1_000);
    const alone = holder('alone', 'x');
    alone.hold(200);
    expect(cut).toEqual([]);
    holder('another', 'x').hold(1);
    expect(cut).toEqual(['alone']);
    expect([alone.held, sums.heldFor('x')]).toEqual([0, 1]);
  });

  it('may be those of the holder that asks for more', () => {
    const { cut, holder } = budget(100, 1_000);
    holder('quiet', 'x').hold(40);
    const greedy = holder('greedy', 'x');
    for (let held = 10; held <= 70; held += 10) greedy.hold(held);
    expect(cut).toEqual(['greedy']);
    expect(greedy.held).toBe(0);
  });
});

describe('bytes in all', () => {
  it('past the bound: the address that holds most loses its largest', () => {
    const { sums, cut, holder } = budget(100, 200);
    for (const name of ['x1', 'x2', 'x3']) holder(name, 'x').hold(30);
    holder('y', 'y').hold(60);
    const z = holder('z', 'z');
    z.hold(50);
    z.hold(61);
    expect(cut).toEqual(['x1']);
    expect(sums.held).toBe(181);
  });

  it('count holders whose address is not known each on their own', () => {
    const { cut, holder } = budget(100, 200);
    holder('small').hold(20);
    holder('large').hold(120);
    holder('x', 'x').hold(90);
    expect(cut).toEqual(['large']);
  });

  it('of one holder alone are no reason to cut it off', () => {
    const { cut, holder } = budget(100, 200);
    holder('alone').hold(500);
    expect(cut).toEqual([]);
  });
});

it('a holder belongs to another address only while it holds nothing', () => {
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
