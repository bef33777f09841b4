import { join, relative } from 'node:path';
import { follow, readModule } from './declarations.js';

/** @typedef {import('./declarations.js').Declaration} Declaration */
/** @typedef {import('./declarations.js').Origin} Origin */
/** @typedef {{ file: string, name: string, declarations: Declaration[] }} Found */

/**
 * The public face of one package as text: what each entry exports, and what those declarations name besides.
 *
 * @param {{ name: string, folder: string, entries: [subpath: string, file: string][] }} pack
 * @returns {string}
 */
export function report({ name, folder, entries }) {
  const sections = [`# ${name}`, 'Written by `pnpm api`. A change here is a change of the public interface.'];
  /** @type {Map<string, Found>} */
  const exported = new Map();
  for (const [subpath, file] of entries) {
    sections.push(`## \`${name}${subpath.slice(1)}\``, block(entryLines(file, exported)));
  }
  const hidden = reachable(exported);
  if (hidden.length > 0) {
    const lines = hidden.flatMap(({ file, declarations }) => [
      `// ${relative(folder, file)}`,
      ...declarations.map(({ text }) => text),
    ]);
    sections.push('## Named by the above, not exported', block(lines));
  }
  return `${sections.join('\n\n')}\n`;
}

/**
 * The entries with types that users may import: `/internal` ones are shared between the packages alone.
 *
 * @param {string} folder the package's folder
 * @param {Record<string, string | { types?: string }>} exports of its package.json
 * @returns {[subpath: string, file: string][]}
 */
export function publicEntries(folder, exports) {
  return Object.entries(exports).flatMap(([subpath, target]) => {
    const types = typeof target === 'string' ? undefined : target.types;
    if (types === undefined || subpath.endsWith('/internal')) return [];
    return [/** @type {[string, string]} */ ([subpath, join(folder, types)])];
  });
}

/** @param {string[]} lines */
function block(lines) {
  return ['```ts', ...(lines.length > 0 ? lines : ['// nothing']), '```'].join('\n');
}

/**
 * @param {string} file
 * @param {Map<string, Found>} exported gathers what is found
 * @returns {string[]}
 */
function entryLines(file, exported) {
  const lines = [];
  const names = exportedNames(file, new Set());
  for (const name of [...names.keys()].sort(compare)) {
    const origin = /** @type {string | Origin & { file: string }} */ (names.get(name));
    if (typeof origin === 'string') {
      lines.push(origin);
      continue;
    }
    const found = locate(origin.file, origin);
    if (found === undefined || found.name !== name) {
      lines.push(
        `export { ${origin.name === name ? name : `${origin.name} as ${name}`} } from '${origin.from}';`,
      );
    }
    if (found === undefined) continue;
    exported.set(`${found.file} ${found.name}`, found);
    lines.push(...found.declarations.map(({ text }) => text));
  }
  return lines;
}

/**
 * @param {string} file
 * @param {Set<string>} seen
 * @returns {Map<string, string | (Origin & { file: string })>} by exported name; a string is a line to print as it is
 */
function exportedNames(file, seen) {
  const names = new Map();
  if (seen.has(file)) return names;
  seen.add(file);
  const module = readModule(file);
  for (const star of module.stars) {
    const next = follow(file, star);
    if (next === undefined) names.set(`* ${star}`, `export * from '${star}';`);
    else for (const [name, origin] of exportedNames(next, seen)) names.set(name, origin);
  }
  for (const [name, origin] of module.exports) names.set(name, { ...origin, file });
  return names;
}

/**
 * Follows imports and re-exports to the declaration itself.
 *
 * @param {string} file
 * @param {Origin} origin as seen from the file
 * @returns {Found | undefined} undefined when it is another package's
 */
function locate(file, { from, name }) {
  if (from === undefined) {
    const module = readModule(file);
    const declarations = module.declarations.get(name);
    if (declarations !== undefined) return { file, name, declarations };
    const imported = module.imports.get(name);
    return imported === undefined ? undefined : locate(file, imported);
  }
  const next = follow(file, from);
  if (next === undefined) return undefined;
  const origin = exportedNames(next, new Set()).get(name);
  return origin === undefined || typeof origin === 'string' ? undefined : locate(origin.file, origin);
}

/**
 * Declarations of the package that the exported ones name without exporting them, and so on.
 *
 * @param {Map<string, Found>} exported
 * @returns {Found[]} by name, then file
 */
function reachable(exported) {
  /** @type {Map<string, Found>} */
  const hidden = new Map();
  const queue = [...exported.values()];
  for (const { file, declarations } of queue) {
    for (const { references, inline } of declarations) {
      const origins = [...[...references].map((name) => ({ from: undefined, name })), ...inline];
      for (const origin of origins) {
        const found = locate(file, origin);
        const key = found && `${found.file} ${found.name}`;
        if (found === undefined || key === undefined || exported.has(key) || hidden.has(key)) continue;
        hidden.set(key, found);
        queue.push(found);
      }
    }
  }
  return [...hidden.values()].sort((a, b) => compare(a.name, b.name) || compare(a.file, b.file));
}

/**
 * @param {string} a
 * @param {string} b
 */
function compare(a, b) {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
