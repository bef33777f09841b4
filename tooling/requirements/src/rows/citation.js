/**
 * What a citation names: tests of one file, by their full name.
 *
 * @typedef {object} Citation
 * @property {string} file relative to the root, with forward slashes
 * @property {string} name describes and title joined by ` > `
 * @property {boolean} rest whether `name` is only the beginning
 */

/**
 * Reads `path > full name`, where a `*` at the end stands for the rest of the name.
 *
 * @param {string} text
 * @returns {Citation | undefined} undefined for what is no citation
 */
export function readCitation(text) {
  const [, file, name] = /^(\S+\.test\.[jt]s) > (.+)$/.exec(text) ?? [];
  if (file === undefined || name === undefined || name === '*') return undefined;
  const rest = name.endsWith('*');
  return { file, name: rest ? name.slice(0, -1) : name, rest };
}
