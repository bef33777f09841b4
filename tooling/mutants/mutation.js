/**
 * A bug to put into one source file.
 *
 * @typedef {object} Mutant
 * @property {string} id unique: the package and the bug
 * @property {string} file from the root of the project
 * @property {string} find text that occurs once in the file
 * @property {string} replace the text that replaces it
 * @property {readonly string[]} tests files that must catch the bug, from the root
 */

/**
 * Returns the source with the bug.
 *
 * @param {string} source
 * @param {Mutant} mutant
 * @throws RangeError if the source does not contain the text to replace exactly once
 */
export function mutated(source, { id, file, find, replace }) {
  const at = source.indexOf(find);
  if (at < 0) throw new RangeError(`${id}: the text to replace is no longer in ${file}.`);
  if (source.includes(find, at + 1))
    throw new RangeError(`${id}: the text to replace is more than once in ${file}.`);
  return source.slice(0, at) + replace + source.slice(at + find.length);
}

/**
 * Returns the mutants of one package, with paths from the root.
 *
 * @param {string} name of the package's folder
 * @param {readonly (Omit<Mutant, 'id'> & { readonly name: string })[]} table
 * @returns {readonly Mutant[]}
 */
export function mutantsOf(name, table) {
  const within = `packages/${name}/src/`;
  return table.map(({ name: bug, file, find, replace, tests }) => ({
    id: `${name}/${bug}`,
    file: within + file,
    find,
    replace,
    tests: tests.map((test) => within + test),
  }));
}
