import { judged, voidsOf } from '../report/sheets.js';
import { times, withSpread } from '../report/wording.js';

/** @typedef {import('./results.js').ClusterResult} ClusterResult */

/**
 * Returns the sheet of one row.
 *
 * @param {Pick<import('./rows.js').ClusterRow, 'title' | 'about'>} row
 * @param {readonly ClusterResult[]} results of the row
 * @returns {import('../report/sheets.js').Sheet}
 */
export function clusterSheet({ title, about }, results) {
  return {
    title,
    note: [about, baseOf(results)].join(' '),
    heads: [
      '',
      'CPU per request',
      'throughput',
      'p50',
      'p99',
      'Redis commands',
      'CPU beside memory',
      'target',
      "times Tenon's CPU",
    ],
    lines: results.map(({ label, error, overMemory, overTenon, commands, target, met, ...figures }) => [
      { text: label },
      error === undefined ? shown(figures.cpu) : { text: 'void', tone: 'bad' },
      ...[figures.throughput, figures.p50, figures.p99].map(shown),
      { text: commands === undefined ? '' : String(Number(commands.median.toFixed(2))) },
      overMemory === undefined ? { text: '' } : judged(withSpread(overMemory), met),
      { text: target === undefined ? '' : `<= ${target}` },
      overTenon === undefined
        ? { text: '' }
        : {
            text: withSpread(overTenon),
            ...(overTenon.median < 1 && { tone: /** @type {const} */ ('bad') }),
          },
    ]),
    voids: voidsOf(results, ({ label }) => label),
  };
}

/** @param {import('../report/statistics.js').Figure | undefined} figure */
function shown(figure) {
  return { text: figure === undefined ? '' : withSpread(figure) };
}

/** @param {readonly ClusterResult[]} results */
function baseOf(results) {
  const base = results.find(
    ({ contender, state, processes }) => `${contender} ${state} ${processes}` === 'tenon memory 1',
  );
  const { revision, depth, absolute } = base ?? {};
  if (absolute === undefined) return '1 is one process of Tenon with state in memory.';
  const { cpu, perSecond, p50, p99 } = absolute;
  return [
    `1 is one process of Tenon with state in memory: ${times(cpu)} µs of CPU, ${Math.round(perSecond)} requests a second,`,
    `p50 ${times(p50)} ms, p99 ${times(p99)} ms on this machine. Revision ${revision}, ${depth} in flight over all processes.`,
  ].join(' ');
}
