import { documents, laterWork, levels } from './row.js';

/** @import { PageFile, Row } from './row.js' */

const rowMembers = new Set([
  ...['id', 'section', 'level', 'revisions', 'sentence'],
  ...['like', 'later', 'note'],
]);

/**
 * @typedef {object} RowProblem
 * @property {PageFile} page
 * @property {string} text one sentence, beginning with the row or the file
 */

/**
 * Returns the problems of the rows themselves, before any test has run.
 *
 * @param {readonly PageFile[]} pages
 * @param {ReadonlySet<string>} published ids of the published revisions
 * @returns {RowProblem[]}
 */
export function problemsOf(pages, published) {
  const rows = new Map(pages.flatMap((page) => (page.rows ?? []).map((row) => [row.id, row])));
  const seen = new Set();
  return pages.flatMap((page) => {
    const texts = pageProblems(page).map((problem) => `${page.file}: ${problem}`);
    for (const row of page.rows ?? []) {
      const problems = [
        ...rowProblems(row, page),
        ...revisionProblems(row, published),
        ...likeProblems(row, rows),
      ];
      if (seen.has(row.id)) problems.push('two rows have this id');
      seen.add(row.id);
      texts.push(...problems.map((problem) => `${row.id ?? page.file}: ${problem}`));
    }
    return texts.map((text) => ({ page, text }));
  });
}

/**
 * @param {PageFile} page
 * @returns {string[]}
 */
function pageProblems({ file, document, page, rows }) {
  const problems = [];
  if (!documents.includes(document)) {
    problems.push(`the document is ${said(document)}, and there are ${documents.join(', ')}`);
  }
  if (!file.endsWith(`/${document}/${page}.json`)) {
    problems.push(`this is not where the page ${said(page)} of ${said(document)} belongs`);
  }
  if (!Array.isArray(rows) || rows.length === 0) problems.push('there are no rows');
  return problems;
}

/**
 * @param {Row} row
 * @param {PageFile} page
 * @returns {string[]}
 */
function rowProblems(row, { document, page }) {
  const problems = [];
  const { id, section, level, sentence, like, later } = row;
  const prefix = `${document}/${page}/`;
  if (typeof id !== 'string' || !id.startsWith(prefix) || !/^[a-z0-9-]+$/.test(id.slice(prefix.length))) {
    problems.push(`the id must be ${prefix} and a name in kebab-case`);
  }
  for (const [name, value] of Object.entries({ section, sentence })) {
    if (typeof value !== 'string' || value === '') problems.push(`the ${name} is missing`);
  }
  if (!levels.includes(level)) {
    problems.push(`the level is ${said(level)}, and there are ${levels.join(', ')}`);
  }
  if (later !== undefined && !laterWork.includes(later)) {
    problems.push(`later is ${said(later)}, and there are ${laterWork.join(', ')}`);
  }
  for (const name of Object.keys(row)) {
    if (!rowMembers.has(name)) problems.push(`a row has no member ${said(name)}`);
  }
  if (like !== undefined && later !== undefined) {
    problems.push('it has like and later, and only one of them can be meant');
  }
  return problems;
}

/**
 * @param {Row} row
 * @param {ReadonlySet<string>} published
 * @returns {string[]}
 */
function revisionProblems({ revisions }, published) {
  if (!Array.isArray(revisions) || revisions.length === 0) return ['it holds in no revision'];
  return revisions.filter((one) => !published.has(one)).map((one) => `${said(one)} is not a revision`);
}

/**
 * @param {Row} row
 * @param {ReadonlyMap<string, Row>} rows
 * @returns {string[]}
 */
function likeProblems(row, rows) {
  const seen = new Set([row.id]);
  let at = row;
  while (at.like !== undefined) {
    const next = rows.get(at.like);
    if (next === undefined) return [`it is like ${said(at.like)}, which is not a row`];
    if (seen.has(next.id)) return [`it is like itself, through ${[...seen].join(', ')}`];
    seen.add(next.id);
    at = next;
  }
  return [];
}

/** @param {unknown} value */
function said(value) {
  return JSON.stringify(value) ?? 'missing';
}
