import fc from 'fast-check';
import { expect, test } from 'vitest';

/** Milliseconds one property may take. */
const patience = 60_000;

/** How many times as many cases as usual are tried: for a night, or for a fault that is rare. */
const times = Number(process.env.PROPERTY_TIMES ?? 1);

/** Holds a property to so many cases, and says how many. A failure names the seed and the path to it. */
export function holds<T>(title: string, usual: number, property: fc.IAsyncProperty<T>): void {
  const numRuns = usual * times;
  const interruptAfterTimeLimit = patience * times;
  test(`${title} (${numRuns} cases)`, { timeout: 2 * interruptAfterTimeLimit }, async () => {
    expect(numRuns, 'PROPERTY_TIMES must be a whole number from 1').toSatisfy(Number.isSafeInteger);
    await fc.assert(property, { numRuns, interruptAfterTimeLimit, markInterruptAsFailure: true });
    console.log(`${numRuns} cases: ${title}`);
  });
}
