import { nameOf } from './runs.js';

/** @typedef {import('./results.js').Results & { run: import('./runs.js').Run }} Judged */
/** @typedef {{ good: (text: string) => string, bad: (text: string) => string, dim: (text: string) => string }} Paint */

/** @param {Judged} judged */
function cleanOf({ outcomes }) {
  return outcomes.filter(({ reasons }) => reasons.length === 0).length;
}

/**
 * True if no check failed and no run had a problem.
 *
 * @param {readonly Judged[]} all
 */
export function isClean(all) {
  return all.every((judged) => judged.troubles.length === 0 && cleanOf(judged) === judged.outcomes.length);
}

/**
 * Returns the number of clean scenarios by side and revision, then the details of the others.
 *
 * @param {readonly Judged[]} all
 * @param {Paint} paint
 * @returns {string}
 */
export function table(all, paint) {
  const rows = [...new Set(all.map(({ run }) => rowOf(run)))].sort();
  const width = Math.max(...rows.map((row) => row.length)) + 3;
  const lines = [paint.dim(`${''.padEnd(width)}${'server'.padEnd(12)}client`)];
  for (const row of rows) {
    const cells = ['server', 'client'].map((side) =>
      cell(
        all.find(({ run }) => run.side === side && rowOf(run) === row),
        paint,
      ),
    );
    lines.push(`${row.padEnd(width)}${cells.join('')}`.trimEnd());
  }
  return [...lines, ...notClean(all, paint), ...notJudged(all, paint)].join('\n');
}

/** @param {import('./runs.js').Run} run */
function rowOf({ revision, set }) {
  return set === 'all' ? revision : `${revision} required`;
}

/**
 * @param {Judged | undefined} judged
 * @param {Paint} paint
 */
function cell(judged, paint) {
  if (judged === undefined) return ''.padEnd(12);
  const { length } = judged.outcomes;
  if (length === 0 && judged.troubles.length === 0) return paint.dim('none'.padEnd(12));
  const clean = cleanOf(judged);
  const text = `${clean} / ${length}`.padEnd(12);
  return clean === length && judged.troubles.length === 0 ? paint.good(text) : paint.bad(text);
}

/**
 * @param {readonly Judged[]} all
 * @param {Paint} paint
 */
function notClean(all, paint) {
  return all.flatMap(({ run, troubles, outcomes }) => [
    ...troubles.map((trouble) => `\n${paint.bad(`${nameOf(run)}: ${trouble}`)}`),
    ...outcomes
      .filter(({ reasons }) => reasons.length > 0)
      .flatMap(({ scenario, reasons }) => [
        `\n${paint.bad(`${nameOf(run)}: ${scenario}`)}`,
        ...reasons.map((reason) => `  ${reason}`),
      ]),
  ]);
}

/**
 * @param {readonly Judged[]} all
 * @param {Paint} paint
 */
function notJudged(all, paint) {
  // A failed scenario skips checks because it failed.
  const skipped = new Set(
    all.flatMap(({ outcomes }) =>
      outcomes.flatMap(({ scenario, skipped, reasons }) =>
        reasons.length === 0 ? skipped.map((check) => `${scenario}: ${check}`) : [],
      ),
    ),
  );
  const later = new Map(
    all.flatMap(({ later }) =>
      later.map(({ scenario, reason }) => /** @type {const} */ ([scenario, reason])),
    ),
  );
  /** @type {Map<string, string[]>} */
  const byReason = new Map();
  for (const [scenario, reason] of later) byReason.set(reason, [...(byReason.get(reason) ?? []), scenario]);
  return [
    ...(skipped.size === 0
      ? []
      : ['\nskipped by the suite:', ...[...skipped].map((text) => paint.dim(`  ${text}`))]),
    ...(byReason.size === 0 ? [] : ['\nleft to later:']),
    ...[...byReason].map(([reason, names]) =>
      paint.dim(`  ${reason} (${names.length}): ${names.sort().join(', ')}`),
    ),
  ];
}
