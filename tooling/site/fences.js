/**
 * Lines of a page where a fence of code is closed with a language: Markdown reads such a line, and the text behind it, as part of
 * the code. Also a fence that is never closed.
 *
 * @param {string} text
 * @returns {string[]} a line for each
 */
export function fenceProblems(text) {
  const problems = [];
  /** @type {{ mark: string, line: number } | undefined} */
  let open;
  for (const [index, line] of text.split('\n').entries()) {
    const [, mark, rest = ''] = /^\s*(?:>\s*)?(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (mark === undefined) continue;
    if (open === undefined) open = { mark, line: index + 1 };
    else if (mark.startsWith(open.mark)) {
      if (rest.trim() === '') open = undefined;
      else problems.push(`line ${index + 1}: "${line.trim()}" does not close the fence of line ${open.line}`);
    }
  }
  if (open !== undefined) problems.push(`line ${open.line}: the fence is never closed`);
  return problems;
}
