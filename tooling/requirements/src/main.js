// `pnpm requirements`: what the documents ask for, joined with the tests that show it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { revisions } from '@tenon/mcp-protocol';
import { originOf } from './rows/alike.js';
import { readCitation } from './rows/citation.js';
import { flawsOf } from './rows/flaws.js';
import { readPages, root } from './rows/read-pages.js';
import { documents } from './rows/row.js';
import { readReport } from './running/report.js';
import { runTests } from './running/run-tests.js';
import { complaintsOf, laterList } from './verdict/complaints.js';
import { countsOf, tableOf } from './verdict/counts.js';
import { verdictOf } from './verdict/verdict.js';

/** @import { PageFile } from './rows/row.js' */

const help = `Usage: pnpm requirements [options]

Every MUST, SHOULD and MAY of the documents is a row in tooling/requirements/rows, with the tests that show it. Runs the test
files that rows cite and the matrix stories, prints how many rows stand how, and names each that nothing shows.

  --document NAME  only the rows of one document: ${documents.join(', ')}
  --results FILE   takes this report of vitest's JSON reporter instead of running tests
  --open           lists the rows that later work will show
  --json           counts, rows and complaints as JSON
  --help           this text

Exits with 1 when a row has no evidence, or evidence that does not hold.`;

const options = /** @type {const} */ ({
  document: { type: 'string' },
  results: { type: 'string' },
  open: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
});

const matrix = 'tooling/requirements/src/matrix';

try {
  const { values } = parseArgs({ options });
  if (values.help) console.log(help);
  else await main(values);
} catch (error) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  const isUsage = error instanceof RangeError || code?.startsWith('ERR_PARSE_ARGS');
  console.error(`requirements: ${message}${isUsage ? ' See --help.' : ''}`);
  process.exitCode = isUsage ? 2 : 1;
}

/** @param {ReturnType<typeof parseArgs<{ options: typeof options }>>['values']} values */
async function main({ document, results: file, open, json }) {
  if (document !== undefined && !documents.includes(document)) {
    throw new RangeError(`No document is named ${document}: there are ${documents.join(', ')}.`);
  }
  const pages = readPages();
  const known = {
    revisions: new Set(revisions.map(({ id }) => id)),
    exists: (/** @type {string} */ path) => existsSync(root + path),
  };
  const chosen = (/** @type {PageFile} */ page) => document === undefined || page.document === document;
  // All are looked at, for rows are like rows of other documents.
  const flaws = flawsOf(pages, known).filter(({ page }) => chosen(page));
  const report = file === undefined ? await runTests(filesOf(pages, chosen), root) : readJson(file);
  const verdict = verdictOf(pages, readReport(report, root), chosen);
  const complaints = complaintsOf(flaws, verdict);
  const counts = countsOf(verdict.rows);
  if (json) console.log(JSON.stringify({ counts, complaints, rows: verdict.rows }, undefined, 2));
  else {
    const parts = [tableOf(counts), open ? laterList(verdict) : '', complaints.join('\n')];
    console.log(parts.filter((part) => part !== '').join('\n\n'));
  }
  if (complaints.length > 0) {
    console.error(`requirements: ${complaints.length} to mend`);
    process.exitCode = 1;
  }
}

/**
 * The files with the tests that count for the chosen pages.
 *
 * @param {readonly PageFile[]} pages
 * @param {(page: PageFile) => boolean} chosen
 * @returns {string[]}
 */
function filesOf(pages, chosen) {
  const rows = new Map(pages.flatMap((page) => page.rows.map((row) => [row.id, row])));
  const cited = pages
    .filter(chosen)
    .flatMap((page) => page.rows)
    .flatMap((row) => originOf(row, rows).tests ?? [])
    .flatMap((text) => readCitation(text)?.file ?? [])
    .filter((file) => existsSync(root + file));
  const stories = readdirSync(root + matrix)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${matrix}/${name}`);
  return [...new Set([...cited, ...stories])].sort();
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
