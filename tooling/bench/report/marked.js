/**
 * Replaces the text between `<!-- name -->` and `<!-- /name -->`.
 *
 * @param {string} text
 * @param {string} name
 * @param {string} content
 * @returns {string | undefined} undefined if a mark is missing
 */
export function replaceMarked(text, name, content) {
  const opening = `<!-- ${name} -->`;
  const start = text.indexOf(opening);
  const end = text.indexOf(`<!-- /${name} -->`, start);
  if (start === -1 || end === -1) return undefined;
  return `${text.slice(0, start + opening.length)}\n${content.trim()}\n${text.slice(end)}`;
}
