import { conclude, progress, seedOf } from '../../suite/command-line.js';
import { figuresOf, textOf } from './findings/report.js';
import { verdictsOf } from './findings/verdicts.js';
import { storm } from './storm.js';

/**
 * Runs a storm for a command, and prints its figures and verdicts.
 *
 * @param {{ seed?: string | undefined, json: boolean }} values of the command
 * @param {Omit<import('./storm.js').StormOptions, 'seed' | 'onProgress'>} options
 */
export async function runStorm(values, options) {
  const seed = seedOf(values.seed);
  console.error(`seed ${seed}`);
  const findings = await storm({ ...options, seed, onProgress: progress });
  const figures = figuresOf(findings);
  const verdicts = verdictsOf(findings);
  const text = () => `${textOf(figures, verdicts)}\n\nseed ${seed}`;
  conclude({ json: values.json, text, results: { seed, figures, verdicts } });
}
