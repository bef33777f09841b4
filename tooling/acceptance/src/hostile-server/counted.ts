import { afterAll } from 'vitest';

/** Prints the number of cases in a table after they ran. */
export function counted(title: string, cases: () => number): void {
  afterAll(() => console.log(`${cases()} cases: ${title}`));
}
