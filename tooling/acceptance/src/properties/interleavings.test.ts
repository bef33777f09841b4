import { everyRevision } from '@tenon/mcp-testing';
import fc from 'fast-check';
import { beforeAll, expect } from 'vitest';
import { holds } from './cases.js';
import { type Deed, Interleaving } from './interleaving.js';
import { toolNames } from './workshop.js';

const anyDeed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ does: fc.constant('call'), tool: fc.constantFrom(...toolNames) }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('cancel'), which: fc.nat({ max: 20 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('advance'),
      ms: fc.constantFrom(0, 1, 500, 30_000, 60_000, 600_000),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ does: 'turn' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constantFrom('release', 'break', 'change', 'watch', 'unwatch', 'list'),
    }),
  },
);

beforeAll(async () => {
  for (const revision of everyRevision) {
    const life = new Interleaving();
    await life.open(revision);
    await life.rehearse();
  }
});

holds(
  'calls, cancels, progress, watches, broken connections and closes in any order leave nothing behind',
  300,
  fc.asyncProperty(
    fc.constantFrom(...everyRevision),
    fc.array(anyDeed, { maxLength: 40, size: 'max' }),
    async (revision, deeds) => {
      const life = new Interleaving();
      await life.open(revision);
      for (const deed of deeds) await life.do(deed);
      await life.close();
      expect(life.faults).toEqual([]);
    },
  ),
);
