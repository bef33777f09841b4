import { join, relative } from 'node:path';
import { follow, readModule } from './declarations.js';

/** @typedef {import('./declarations.js').Declaration} Declaration */
/** @typedef {import('./declarations.js').Origin} Origin */
/** @typedef {typeof follow} Follow */
/** @typedef {{ file: string, name: string, declarations: Declaration[] }} Found */

/**
 * Returns the public API of a package as text: the exports of each entry, and the declarations that their types refer to.
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
 * Returns the entries that users may import: those with types, except `/internal` ones.
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
 * @param {Map<string, Found>} exported the function adds the exported declarations here
 * @returns {string[]}
 */
function entryLines(file, exported) {
  const lines = [];
  for (const { name, origin, found } of publicNames(file)) {
    if (typeof origin === 'string') {
      lines.push(origin);
      continue;
    }
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
 * Returns the exports of an entry, by name.
 *
 * @param {string} file
 * @param {Follow} [toFile] finds the declaration file of an import
 * @returns {{ name: string, origin: string | Origin & { file: string }, found: Found | undefined }[]}
 */
export function publicNames(file, toFile = follow) {
  return [...exportedNames(file, new Set(), toFile)]
    .map(([name, origin]) => {
      const found = typeof origin === 'string' ? undefined : locate(origin.file, origin, toFile);
      return { name, origin, found };
    })
    .sort((a, b) => compare(a.name, b.name));
}

/**
 * @param {string} file
 * @param {Set<string>} seen
 * @param {Follow} toFile
 * @returns {Map<string, string | (Origin & { file: string })>} by exported name; a string is a line to print unchanged
 */
function exportedNames(file, seen, toFile) {
  const names = new Map();
  if (seen.has(file)) return names;
  seen.add(file);
  const module = readModule(file);
  for (const star of module.stars) {
    const next = toFile(file, star);
    if (next === undefined) names.set(`* ${star}`, `export * from '${star}';`);
    else for (const [name, origin] of exportedNames(next, seen, toFile)) names.set(name, origin);
  }
  for (const [name, origin] of module.exports) names.set(name, { ...origin, file });
  return names;
}

/**
 * Follows imports and re-exports to the declaration.
 *
 * @param {string} file
 * @param {Origin} origin as seen from the file
 * @param {Follow} [toFile] finds the declaration file of an import
 * @returns {Found | undefined} undefined if another package declares it
 */
export function locate(file, { from, name }, toFile = follow) {
  if (from === undefined) {
    const module = readModule(file);
    const declarations = module.declarations.get(name);
    if (declarations !== undefined) return { file, name, declarations };
    const imported = module.imports.get(name);
    return imported === undefined ? undefined : locate(file, imported, toFile);
  }
  const next = toFile(file, from);
  if (next === undefined) return undefined;
  const origin = exportedNames(next, new Set(), toFile).get(name);
  return origin === undefined || typeof origin === 'string' ? undefined : locate(origin.file, origin, toFile);
}

/**
 * Returns the unexported declarations that the exported ones refer to, directly or through others.
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
