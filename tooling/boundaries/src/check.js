import { coreEntries } from './rules/core-entries.js';
import { cycles, floors } from './rules/cycles.js';
import { direction } from './rules/direction.js';
import { chosenExports, internalEntries, oneMeaning } from './rules/entries.js';
import { promises } from './rules/promises.js';
import { dateLiterals, fileLengths, fileNames, suppressionComments } from './rules/text.js';
import { times } from './rules/times.js';
import { Workspace } from './workspace.js';

/** @type {import('./violation.js').Rule[]} */
const rules = [
  direction,
  cycles,
  floors,
  coreEntries,
  chosenExports,
  internalEntries,
  oneMeaning,
  promises,
  times,
  dateLiterals,
  fileNames,
  fileLengths,
  suppressionComments,
];

/**
 * Returns all violations under a root, sorted by file and line.
 *
 * @param {string} root absolute path
 * @returns {{ violations: import('./violation.js').Violation[], fileCount: number }}
 */
export function check(root) {
  const workspace = new Workspace(root);
  const violations = rules.flatMap((rule) => rule(workspace));
  violations.sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line);
  return { violations, fileCount: workspace.files.size };
}
