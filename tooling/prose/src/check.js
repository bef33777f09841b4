import { proseOfPage, proseOfSource } from './prose.js';
import { vocabulary } from './vocabulary.js';

/**
 * @typedef {object} Finding
 * @property {string} path relative to the root
 * @property {number} line from 1
 * @property {import('./vocabulary.js').Kind} kind
 * @property {string} found as it is in the text
 * @property {string} write
 */

/**
 * @param {string} path relative to the root
 * @param {string} source
 * @returns {Finding[]}
 */
export function findingsIn(path, source) {
  const pieces = path.endsWith('.md') ? proseOfPage(source) : proseOfSource(path, source);
  return pieces.flatMap((piece) =>
    vocabulary.flatMap((term) => {
      const { kind, text } = piece;
      if (term.in === undefined ? kind === 'identifier' : !term.in.includes(kind)) return [];
      const found = term.found.exec(text)?.[0];
      return found === undefined ? [] : [{ path, line: piece.line, kind, found, write: term.write }];
    }),
  );
}

/** @param {Finding} finding */
export function format({ path, line, kind, found, write }) {
  return `${path}:${line} ${kind}: "${found}"; write: ${write}`;
}
