import { afterAll } from 'vitest';

/** Prints how many cases a table holds, once they are run. */
export function counted(title: string, cases: () => number): void {
  afterAll(() => console.log(`${cases()} cases: ${title}`));
}
