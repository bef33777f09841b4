import { counts } from './counts.js';
import { grown } from './profile.js';
import { boundsOf } from './verdicts.js';

/**
 * @typedef {import('./figures.js').Figures} Figures
 * @typedef {import('./profile.js').Profile} Profile
 * @typedef {import('./verdicts.js').Verdict} Verdict
 */

/** The most functions listed for one count. */
const mostNames = 6;

/**
 * Returns a table with a row per run and a column per count: the measured figure, and the budget if it differs.
 *
 * @param {readonly Verdict[]} verdicts
 */
export function tableOf(verdicts) {
  const runs = [...new Set(verdicts.map(({ run }) => run))];
  const rows = [['per request', ...counts.map(({ heading }) => heading)]];
  for (const run of runs) {
    const own = verdicts.filter((verdict) => verdict.run === run);
    rows.push([run, ...counts.map(({ id }) => cellOf(own.find(({ count }) => count.id === id)))]);
  }
  const widths = counts.map((_, column) => Math.max(...rows.map((row) => row[column + 1]?.length ?? 0)));
  const first = Math.max(...rows.map(([name = '']) => name.length));
  return rows
    .map(([name = '', ...cells]) =>
      [name.padEnd(first), ...cells.map((cell, column) => cell.padStart(widths[column] ?? 0))].join('  '),
    )
    .join('\n');
}

/** @param {Verdict | undefined} verdict */
function cellOf(verdict) {
  if (verdict === undefined) return '';
  const measured = amount(verdict.measured);
  if (verdict.verdict === 'over') return `${measured}>${amount(verdict.budget ?? 0)}!`;
  if (verdict.verdict === 'lower') return `${measured}<${amount(verdict.budget ?? 0)}`;
  return verdict.verdict === 'missing' ? `${measured}?` : measured;
}

/**
 * Returns the failures with their causes and advice, then other remarks.
 *
 * @param {readonly Verdict[]} verdicts
 * @param {{ figures: Record<string, Figures>, profile: Profile }} known
 * @returns {string} empty if everything equals the budgets
 */
export function remarksOf(verdicts, known) {
  const over = verdicts.filter(({ verdict }) => verdict === 'over');
  const parts = over.map((verdict) => failureOf(verdict, known));
  if (over.length > 0) parts.push(advice);
  const missing = verdicts.filter(({ verdict }) => verdict === 'missing').map(({ run }) => run);
  if (missing.length > 0) {
    const names = [...new Set(missing)].join(', ');
    parts.push(`No budget yet for all counts of ${names}; set them with \`pnpm guard --update\`.`);
  }
  const lower = verdicts.filter(({ verdict }) => verdict === 'lower');
  if (lower.length > 0) {
    const cells = lower.map(
      ({ run, count, measured, budget = 0 }) =>
        `  ${run}: ${count.title} ${amount(measured)}, were ${amount(budget)}`,
    );
    parts.push(['Lower than the budget; set the budget with `pnpm guard --update`:', ...cells].join('\n'));
  }
  if (verdicts.some(({ verdict }) => verdict === 'other-node')) {
    const held = counts.filter(({ engine }) => engine === true).map(({ heading }) => heading);
    parts.push(
      `Not compared, because their budgets are from another major version of Node: ${held.join(', ')}.`,
    );
  }
  return parts.join('\n\n');
}

/**
 * Returns the changes that setting the budgets to the measured figures makes.
 *
 * @param {readonly Verdict[]} verdicts
 */
export function changesOf(verdicts) {
  const lines = verdicts
    .filter(({ measured, budget }) => budget === undefined || amount(measured) !== amount(budget))
    .map(({ run, count, measured, budget }) => {
      const before = budget === undefined ? 'new' : amount(budget);
      return `  ${run}: ${count.title} ${before} -> ${amount(measured)}`;
    });
  return lines.length === 0 ? 'Nothing changed.' : ['Changed:', ...lines].join('\n');
}

/** @param {Verdict} verdict */
export function isBad({ verdict }) {
  return verdict === 'over' || verdict === 'missing';
}

const advice = `Remove the code that was added to the path of a request. If it is needed, run \`pnpm guard --update\` and give the
reason in the commit.`;

/**
 * @param {Verdict} verdict
 * @param {{ figures: Record<string, Figures>, profile: Profile }} known
 */
function failureOf({ run, count, measured, budget = 0 }, { figures, profile }) {
  const { most } = boundsOf(count, budget);
  const atMost = most - budget < 0.01 ? '' : `, at most ${amount(most)}`;
  const head = `${run}: ${count.title}: ${amount(measured)} per request; the budget is ${amount(budget)}${atMost}.`;
  const own = figures[run];
  const found = own === undefined ? [] : grown(count, own, profile[run]);
  const lines = found
    .slice(0, mostNames)
    .map(({ name, before, now }) => `    ${name}  ${amount(before)} -> ${amount(now)}`);
  if (lines.length === 0) return `${head}\n  No single function shows the cause.`;
  const rest = found.length > mostNames ? [`    and ${found.length - mostNames} more`] : [];
  return [head, `  ${whatGrew[count.blame]}:`, ...lines, ...rest].join('\n');
}

/** @type {Record<import('./counts.js').Count['blame'], string>} */
const whatGrew = {
  callers: 'Called more often than before by',
  functions: 'Called more often than before',
  packages: 'Functions of these are called more often than before',
  allocators: 'Allocate more than before, in bytes (sampled)',
};

/** @param {number} value */
function amount(value) {
  return String(Math.round(value * 100) / 100);
}
