import fc from 'fast-check';
import { expect, test } from 'vitest';

/** Time limit of one property, in milliseconds. */
const patience = 60_000;

/** Factor for the number of cases: for nightly runs, or rare bugs. */
const times = Number(process.env.PROPERTY_TIMES ?? 1);

/** Tests a property with a number of cases, and prints it. A failure names the seed and the path to it. */
export function holds<T>(title: string, usual: number, property: fc.IAsyncProperty<T>): void {
  const numRuns = usual * times;
  const interruptAfterTimeLimit = patience * times;
  test(`${title} (${numRuns} cases)`, { timeout: 2 * interruptAfterTimeLimit }, async () => {
    expect(numRuns, 'PROPERTY_TIMES must be a whole number from 1').toSatisfy(Number.isSafeInteger);
    await fc.assert(property, { numRuns, interruptAfterTimeLimit, markInterruptAsFailure: true });
    console.log(`${numRuns} cases: ${title}`);
  });
}
