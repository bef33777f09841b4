import { measure } from './measuring/measure.js';
import { figuresOf } from './verdict/figures.js';

/** @typedef {import('./runs/runs.js').Run} Run @typedef {import('./verdict/figures.js').Figures} Figures */

/** Runs measured at the same time. Counts do not depend on other processes. */
const atOnce = 2;

/**
 * Measures runs, each in fresh processes.
 *
 * @param {readonly Run[]} runs
 * @param {{ preload?: string | undefined, onMeasured?: (id: string) => void }} [options] `preload` is the URL of a
 *   module that the measured processes load first
 * @returns {Promise<Record<string, Figures>>} by run
 */
export async function measureRuns(runs, { preload, onMeasured = () => {} } = {}) {
  /** @type {Map<string, Figures>} */
  const found = new Map();
  const left = [...runs];
  const work = async () => {
    for (let run = left.shift(); run !== undefined; run = left.shift()) {
      found.set(run.id, figuresOf(await measure(run, { preload }), run.requests));
      onMeasured(run.id);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const entries = runs.map(({ id }) => /** @type {[string, Figures]} */ ([id, found.get(id)]));
  return Object.fromEntries(entries);
}
