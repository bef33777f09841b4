import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { captionOf } from './about.js';
import { chartOf } from './chart.js';
import { replaceMarked } from './marked.js';
import { benchPage, readmeSection } from './pages.js';
import { verdictLines } from './verdict-lines.js';

/**
 * The results of a run.
 *
 * @typedef {object} Report
 * @property {import('./about.js').About} about
 * @property {readonly import('./results.js').Result[]} results
 * @property {readonly import('../cluster/results.js').ClusterResult[]} cluster
 * @property {readonly import('../footprint/results.js').FootprintResult[]} footprint
 * @property {import('./verdicts.js').Verdicts} verdicts
 */

const root = new URL('../../../', import.meta.url);
const folder = new URL('docs/bench/', root);
const readme = new URL('README.md', root);
const plain = { good: String, bad: String };

/** @param {Report} report */
export function jsonOf(report) {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/**
 * Writes chart, figures and tables to `docs/bench`, and the chart to the README at the root if it has marks for it.
 *
 * @param {Report} report
 * @param {readonly import('./sheets.js').Sheet[]} sheets
 * @returns {Promise<string[]>} the files written
 */
export async function writeReport(report, sheets) {
  const { about, results, verdicts } = report;
  const files = {
    'bench.svg': chartOf(results, captionOf(about)),
    'bench.json': jsonOf(report),
    'README.md': benchPage(about, sheets, verdictLines(verdicts, plain)),
  };
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(new URL(name, folder), text);
  const page = replaceMarked(await readFile(readme, 'utf8'), 'bench', readmeSection(about));
  if (page !== undefined) await writeFile(readme, page);
  return [
    ...Object.keys(files).map((name) => fileURLToPath(new URL(name, folder))),
    page === undefined ? 'README.md has no <!-- bench --> and was left alone' : fileURLToPath(readme),
  ];
}
