/** The text on the page for each tag of a doc comment. */
const tags = new Map([
  ['param', ''],
  ['typeParam', ''],
  ['returns', 'Returns '],
  ['throws', 'Throws '],
  ['deprecated', 'Deprecated: '],
  ['default', 'Default: '],
  ['see', 'See '],
]);

/**
 * Returns a doc comment as Markdown.
 *
 * @param {string} doc
 * @param {(name: string) => string | undefined} linkOf returns the link to a name's description
 */
export function markdownOf(doc, linkOf) {
  const [text = '', ...blocks] = doc.split(/^@(?=\w)/m);
  const items = blocks.map((block) => {
    const [, tag = '', rest = ''] = /^(\w+)\s*([\s\S]*)$/.exec(block.trim()) ?? [];
    const content = rest.replace(/\n/g, ' ');
    if (tag === 'param' || tag === 'typeParam') return `- ${content.replace(/^(\w+)( - )?/, '`$1`: ')}`;
    return `- ${tags.get(tag) ?? `${tag}: `}${content}`;
  });
  return inline([text.trim(), items.join('\n')].filter(Boolean).join('\n\n'), linkOf);
}

/**
 * @param {string} text
 * @param {(name: string) => string | undefined} linkOf
 */
function inline(text, linkOf) {
  const linked = text.replace(/\{@link ([^\s}|]+)[\s|]*([^}]*)\}/g, (_, name, label) => {
    const target = /^https?:/.test(name) ? name : linkOf(name.split('.')[0]);
    const shown = label || `\`${name}\``;
    return target === undefined ? shown : `[${shown}](${target})`;
  });
  // Text that Vue would parse as a tag or an expression.
  return linked
    .split(/(`[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;'),
    )
    .join('');
}
