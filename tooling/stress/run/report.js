import { calls, counts, lineOf } from '../storm/findings/report.js';
import { explanationOf } from './explanation.js';

/** @typedef {import('./cluster-run.js').Findings} Findings */

/**
 * Returns the figures of a run without the long lists.
 *
 * @param {Findings} findings
 */
export function figuresOf(findings) {
  const { sides, disturbances, proxy, journals, heap } = findings;
  return {
    tenon: figuresOfSide(findings, 'tenon'),
    official: figuresOfSide(findings, 'official'),
    residents: sides.tenon.residents,
    disturbances: countBy(disturbances.map(({ kind }) => kind)),
    proxy,
    reported: journals.complaints.typed,
    reportedToCallers: sides.tenon.found.typed,
    heap,
  };
}

/**
 * @param {Findings} findings
 * @param {'tenon' | 'official'} side
 */
function figuresOfSide({ sides, journals, disturbances }, side) {
  const { calls: made, right: rightAnswers, messages, events, failures } = sides[side];
  const explained = failures.map((failure) => {
    const explanation = explanationOf(failure, journals.calls.get(failure.number), disturbances);
    return `${failure.kind}: ${explanation ?? 'not explained'}`;
  });
  return { calls: made, rightAnswers, messages, events, failures: countBy(explained) };
}

/**
 * Returns the report as text.
 *
 * @param {ReturnType<typeof figuresOf>} figures
 * @param {readonly import('../storm/findings/verdicts.js').Verdict[]} verdicts
 */
export function textOf(figures, verdicts) {
  const sides = /** @type {const} */ (['tenon', 'official']).flatMap((side) => {
    const name = side === 'tenon' ? 'our clients' : 'official clients';
    return [
      calls(`calls of ${name}`, figures[side]),
      counts(`failures of ${name}, and what explains them`, figures[side].failures),
      counts(`errors of ${name}`, figures[side].messages, 12),
      counts(`events of ${name}`, figures[side].events),
    ];
  });
  return [
    ...sides,
    counts('disturbances', figures.disturbances),
    counts('proxy', figures.proxy),
    counts('reported to onError of nodes', figures.reported, 12),
    counts('reported to onError of our clients', figures.reportedToCallers, 12),
    verdicts.map(lineOf).join('\n'),
  ].join('\n\n');
}

/** @param {readonly string[]} names */
function countBy(names) {
  /** @type {Record<string, number>} */
  const counted = {};
  for (const name of names) counted[name] = (counted[name] ?? 0) + 1;
  return counted;
}
