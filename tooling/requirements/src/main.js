// `pnpm requirements`: joins the requirements of the documents with the tests that show them.
import { readFileSync } from 'node:fs';
import { revisions } from '@tenon/mcp-protocol';
import { command } from '../../suite/command-line.js';
import { originOf } from './rows/alike.js';
import { problemsOf } from './rows/problems.js';
import { readPages, root } from './rows/read-pages.js';
import { documents } from './rows/row.js';
import { namedIds } from './running/named-ids.js';
import { readReport } from './running/report.js';
import { runTests } from './running/run-tests.js';
import { complaintsOf, laterList } from './verdict/complaints.js';
import { countsOf, tableOf } from './verdict/counts.js';
import { verdictOf } from './verdict/verdict.js';

/** @import { PageFile } from './rows/row.js' */

const help = `Usage: pnpm requirements [options]

Every MUST, SHOULD and MAY of the documents is a row in tooling/requirements/rows, and tests name the rows they show. Runs the
test files that name rows, prints how many rows stand how, and lists each row that no test shows.

  --document NAME  only the rows of one document: ${documents.join(', ')}
  --results FILE   reads this report of vitest's JSON reporter instead of running tests; may be repeated
  --open           lists the rows that later work will show
  --json           counts, rows and complaints as JSON
  --help           this text

Exits with 1 when no test shows a row, when such a test did not pass, and when a test names an id that no row has.`;

const options = /** @type {const} */ ({
  document: { type: 'string' },
  results: { type: 'string', multiple: true },
  open: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
});

await command({ name: 'requirements', help, options, run: main });

/** @param {import('../../suite/command-line.js').Values<typeof options>} values */
async function main({ document, results: files, open, json }) {
  if (document !== undefined && !documents.includes(document)) {
    throw new RangeError(`Unknown document ${document}. Use one of: ${documents.join(', ')}.`);
  }
  const pages = readPages();
  const chosen = (/** @type {PageFile} */ page) => document === undefined || page.document === document;
  // Reads all pages, since a row may refer to rows of other documents.
  const published = new Set(revisions.map(({ id }) => id));
  const problems = problemsOf(pages, published).filter(({ page }) => chosen(page));
  const named = namedFor(pages, chosen);
  const report = files === undefined ? await runTests([...named.keys()], root) : together(files);
  const verdict = verdictOf(pages, readReport(report, root), { chosen, named });
  const complaints = complaintsOf(problems, verdict);
  const counts = countsOf(verdict.rows);
  if (json) console.log(JSON.stringify({ counts, complaints, rows: verdict.rows }, undefined, 2));
  else {
    const parts = [tableOf(counts), open ? laterList(verdict) : '', complaints.join('\n')];
    console.log(parts.filter((part) => part !== '').join('\n\n'));
  }
  if (complaints.length > 0) {
    console.error(`requirements: ${complaints.length} to fix`);
    process.exitCode = 1;
  }
}

/**
 * Finds the files with tests that show rows of the chosen pages, and the files that name an id no row has.
 *
 * @param {readonly PageFile[]} pages
 * @param {(page: PageFile) => boolean} chosen
 * @returns {ReturnType<typeof namedIds>} the ids that each file names, by file
 */
function namedFor(pages, chosen) {
  const rows = new Map(pages.flatMap((page) => page.rows.map((row) => [row.id, row])));
  const own = pages.filter(chosen).flatMap((page) => page.rows);
  const wanted = new Set(own.map((row) => originOf(row, rows).id));
  const counts = (/** @type {string} */ id) => wanted.has(id) || !rows.has(id);
  return new Map([...namedIds(root)].filter(([, ids]) => [...ids].some(counts)));
}

/**
 * Returns the results in several reports as one report.
 *
 * @param {readonly string[]} files
 */
function together(files) {
  const reports = files.map((file) => JSON.parse(readFileSync(file, 'utf8')));
  return { testResults: reports.flatMap(({ testResults }) => testResults) };
}
