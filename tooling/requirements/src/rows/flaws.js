import { readCitation } from './citation.js';
import { documents, laterWork, levels } from './row.js';

/** @import { PageFile, Row } from './row.js' */

/**
 * @typedef {object} Known
 * @property {ReadonlySet<string>} revisions ids of the published revisions
 * @property {(file: string) => boolean} exists whether a file, relative to the root, is there
 */

const rowMembers = new Set([
  ...['id', 'section', 'level', 'revisions', 'sentence'],
  ...['tests', 'like', 'later', 'note'],
]);
const maxTests = 3;

/**
 * @typedef {object} Flaw
 * @property {PageFile} page
 * @property {string} text one sentence, beginning with the row or the file
 */

/**
 * Says what is wrong with the rows themselves, before any test has run.
 *
 * @param {readonly PageFile[]} pages
 * @param {Known} known
 * @returns {Flaw[]}
 */
export function flawsOf(pages, known) {
  const rows = new Map(pages.flatMap((page) => (page.rows ?? []).map((row) => [row.id, row])));
  const seen = new Set();
  return pages.flatMap((page) => {
    const texts = pageFlaws(page).map((flaw) => `${page.file}: ${flaw}`);
    for (const row of page.rows ?? []) {
      const flaws = [...rowFlaws(row, page), ...knownFlaws(row, known), ...likeFlaws(row, rows)];
      if (seen.has(row.id)) flaws.push('two rows have this id');
      seen.add(row.id);
      texts.push(...flaws.map((flaw) => `${row.id ?? page.file}: ${flaw}`));
    }
    return texts.map((text) => ({ page, text }));
  });
}

/**
 * @param {PageFile} page
 * @returns {string[]}
 */
function pageFlaws({ file, document, page, rows }) {
  const flaws = [];
  if (!documents.includes(document)) {
    flaws.push(`the document is ${said(document)}, and there are ${documents.join(', ')}`);
  }
  if (!file.endsWith(`/${document}/${page}.json`)) {
    flaws.push(`this is not where the page ${said(page)} of ${said(document)} belongs`);
  }
  if (!Array.isArray(rows) || rows.length === 0) flaws.push('there are no rows');
  return flaws;
}

/**
 * @param {Row} row
 * @param {PageFile} page
 * @returns {string[]}
 */
function rowFlaws(row, { document, page }) {
  const flaws = [];
  const { id, section, level, sentence, later } = row;
  const prefix = `${document}/${page}/`;
  if (typeof id !== 'string' || !id.startsWith(prefix) || !/^[a-z0-9-]+$/.test(id.slice(prefix.length))) {
    flaws.push(`the id must be ${prefix} and a name in kebab-case`);
  }
  for (const [name, value] of Object.entries({ section, sentence })) {
    if (typeof value !== 'string' || value === '') flaws.push(`the ${name} is missing`);
  }
  if (!levels.includes(level)) {
    flaws.push(`the level is ${said(level)}, and there are ${levels.join(', ')}`);
  }
  if (later !== undefined && !laterWork.includes(later)) {
    flaws.push(`later is ${said(later)}, and there are ${laterWork.join(', ')}`);
  }
  for (const name of Object.keys(row)) {
    if (!rowMembers.has(name)) flaws.push(`a row has no member ${said(name)}`);
  }
  return [...flaws, ...evidenceFlaws(row)];
}

/**
 * @param {Row} row
 * @returns {string[]}
 */
function evidenceFlaws({ tests, like, later }) {
  const flaws = [];
  const given = [
    tests !== undefined && 'tests',
    like !== undefined && 'like',
    later !== undefined && 'later',
  ];
  const names = given.filter((name) => name !== false);
  if (names.length > 1) flaws.push(`it has ${names.join(' and ')}, and only one of them can be meant`);
  if (tests === undefined) return flaws;
  if (!Array.isArray(tests)) return [...flaws, 'tests must be a list'];
  if (tests.length > maxTests) flaws.push(`it cites ${tests.length} tests: keep the best ${maxTests}`);
  if (new Set(tests).size < tests.length) flaws.push('it cites a test twice');
  return flaws;
}

/**
 * @param {Row} row
 * @param {Known} known
 * @returns {string[]}
 */
function knownFlaws({ revisions, tests }, { revisions: published, exists }) {
  const flaws = [];
  if (!Array.isArray(revisions) || revisions.length === 0) flaws.push('it holds in no revision');
  else {
    for (const one of revisions) if (!published.has(one)) flaws.push(`${said(one)} is no revision`);
  }
  for (const text of Array.isArray(tests) ? tests : []) {
    const citation = typeof text === 'string' ? readCitation(text) : undefined;
    if (citation === undefined) flaws.push(`${said(text)} is not "path > full name of a test"`);
    else if (!exists(citation.file)) flaws.push(`it cites ${citation.file}, which is not there`);
  }
  return flaws;
}

/**
 * @param {Row} row
 * @param {ReadonlyMap<string, Row>} rows
 * @returns {string[]}
 */
function likeFlaws(row, rows) {
  const seen = new Set([row.id]);
  let at = row;
  while (at.like !== undefined) {
    const next = rows.get(at.like);
    if (next === undefined) return [`it is like ${said(at.like)}, which is no row`];
    if (seen.has(next.id)) return [`it is like itself, by way of ${[...seen].join(', ')}`];
    seen.add(next.id);
    at = next;
  }
  return [];
}

/** @param {unknown} value */
function said(value) {
  return JSON.stringify(value) ?? 'missing';
}
