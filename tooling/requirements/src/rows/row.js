/**
 * A requirement as data; README.md of this folder says what each member means.
 *
 * @typedef {object} Row
 * @property {string} id
 * @property {string} section
 * @property {string} level
 * @property {readonly string[]} revisions
 * @property {string} sentence
 * @property {string} [like]
 * @property {string} [later]
 * @property {string} [note]
 */

/**
 * The rows of one page of a document.
 *
 * @typedef {object} Page
 * @property {string} document
 * @property {string} page
 * @property {readonly Row[]} rows
 */

/**
 * A page with the file it was read from, relative to the root of the repository, with forward slashes.
 *
 * @typedef {Page & { readonly file: string }} PageFile
 */

/** The documents that rows are taken from. */
export const documents = [
  '2024-11-05',
  '2025-03-26',
  '2025-11-25-server-features',
  '2025-11-25-tasks',
  'draft-tools',
  '2026-07-28',
  'ext-skills',
  'ext-tasks',
];

/** The words that say how strongly something is asked for. */
export const levels = ['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'MAY'];

/** Planned work that will show the requirements still open; the list is closed. */
export const laterWork = ['host'];
