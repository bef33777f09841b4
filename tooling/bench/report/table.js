/** @typedef {import('./sheets.js').Sheet} Sheet */
/** @typedef {Record<'good' | 'bad' | 'dim' | 'strong', (text: string) => string>} Paint */

/**
 * Colours for a terminal, or none.
 *
 * @param {boolean} enabled
 * @returns {Paint}
 */
export function paintFor(enabled) {
  const code = (/** @type {number} */ number) => (/** @type {string} */ text) =>
    enabled ? `\u001b[${number}m${text}\u001b[0m` : text;
  return { good: code(32), bad: code(31), dim: code(2), strong: code(1) };
}

/**
 * Returns a sheet as aligned text.
 *
 * @param {Sheet} sheet
 * @param {Paint} paint
 */
export function textTable({ title, note, heads, lines, voids }, paint) {
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...lines.map((line) => line[column]?.text.length ?? 0)),
  );
  const pad = (/** @type {string} */ text, /** @type {number} */ column) =>
    text.padEnd((widths[column] ?? 0) + 2);
  return [
    paint.strong(title),
    paint.dim(note),
    paint.dim(heads.map(pad).join('').trimEnd()),
    ...lines.map((line) =>
      line
        .map(({ text, tone }, column) => {
          const padded = pad(text, column);
          return tone === undefined ? padded : paint[tone](padded);
        })
        .join('')
        .trimEnd(),
    ),
    ...voids.map((text) => paint.bad(`void: ${text}`)),
    '',
  ].join('\n');
}

/**
 * Returns a sheet as Markdown.
 *
 * @param {Sheet} sheet
 */
export function markdownTable({ title, note, heads, lines, voids }) {
  const row = (/** @type {readonly string[]} */ cells) => `| ${cells.map(escaped).join(' | ')} |`;
  return [
    `### ${title}`,
    '',
    note,
    '',
    row(heads),
    `|${heads.map(() => '---').join('|')}|`,
    ...lines.map((line) => row(line.map(({ text }) => text))),
    ...(voids.length === 0 ? [] : ['', ...voids.map((text) => `- void: ${escaped(text)}`)]),
    '',
  ].join('\n');
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
