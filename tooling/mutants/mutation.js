/**
 * A bug that was put into one source file by hand.
 *
 * @typedef {object} Mutant
 * @property {string} id unique: package and what goes wrong
 * @property {string} file from the root of the project
 * @property {string} find text that stands once in the file
 * @property {string} replace what stands there instead
 * @property {readonly string[]} tests files that must notice, from the root
 */

/**
 * The source with its bug.
 *
 * @param {string} source
 * @param {Mutant} mutant
 * @throws RangeError when the text to replace does not stand in the source, or more than once
 */
export function mutated(source, { id, file, find, replace }) {
  const at = source.indexOf(find);
  if (at < 0) throw new RangeError(`${id}: the text to replace is no longer in ${file}.`);
  if (source.includes(find, at + 1))
    throw new RangeError(`${id}: the text to replace is more than once in ${file}.`);
  return source.slice(0, at) + replace + source.slice(at + find.length);
}

/**
 * The mutants of one package; their paths are from its `src`.
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
