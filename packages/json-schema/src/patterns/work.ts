/** What may still be spent on looking into patterns; several may share it. */
export interface PatternWork {
  left: number;
}

/** @throws Error when nothing is left. */
export function spendWork(work: PatternWork, steps: number): void {
  work.left -= steps;
  if (work.left < 0) throw new Error('a pattern is too complicated to be looked into');
}
