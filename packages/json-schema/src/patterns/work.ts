/** The steps left for analysing patterns; several patterns may share them. */
export interface PatternWork {
  left: number;
}

/** @throws Error if no step is left. */
export function spendWork(work: PatternWork, steps: number): void {
  work.left -= steps;
  if (work.left < 0) throw new Error('a pattern is too complicated to analyse');
}
