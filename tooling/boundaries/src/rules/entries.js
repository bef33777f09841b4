import { posix } from 'node:path';

/**
 * What an extension is made of at either end. The names are the same so that an author writes both halves alike; each half is
 * a module of its own, which imports one end.
 */
const atEitherEnd = {
  names: new Set(['defineExtension', 'listen', 'ReceivedNotice', 'serve', 'ServedMethod']),
  packages: new Set(['@tenon/mcp-client', '@tenon/mcp-server']),
};

/** @typedef {import('../violation.js').Violation} Violation */
/** @typedef {import('../workspace.js').Workspace} Workspace */

const internalEntry = /^@tenon\/[^/]+\/(?:.+\/)?internal$/;
const importOfInternal = /(?:\bfrom|\bimport)\s*\(?\s*['"](@tenon\/[^'"]+)['"]/;

/**
 * Each public name is written in its entry: `export *` would make public whatever a file comes to export.
 *
 * @type {import('../violation.js').Rule}
 */
export function chosenExports(workspace) {
  return entriesOf(workspace).flatMap(({ path }) =>
    (workspace.files.get(path)?.exports.stars ?? []).map(({ from, line }) => ({
      path,
      line,
      rule: 'export-star',
      message: `an entry exports all of '${from}'; list the names that users need`,
    })),
  );
}

/**
 * The `/internal` entry of a package is for the other packages and for tooling: what users copy does without.
 *
 * @type {import('../violation.js').Rule}
 */
export function internalEntries(workspace) {
  const found = [];
  for (const { path, imports } of workspace.files.values()) {
    if (!/^(apps|examples)\//.test(path)) continue;
    for (const { specifier, line } of imports)
      if (specifier !== undefined && internalEntry.test(specifier))
        found.push(forUsers(path, line, specifier));
  }
  for (const [path, text] of workspace.pages) {
    for (const [index, line] of text.split('\n').entries()) {
      const specifier = importOfInternal.exec(line)?.[1];
      if (specifier !== undefined && internalEntry.test(specifier))
        found.push(forUsers(path, index + 1, specifier));
    }
  }
  return found;
}

/**
 * @param {string} path
 * @param {number} line
 * @param {string} specifier
 * @returns {Violation}
 */
function forUsers(path, line, specifier) {
  const message = `'${specifier}' is not public; use a public entry, or make the name public`;
  return { path, line, rule: 'internal-entry', message };
}

/**
 * A name means one thing in all packages: two entries that export it export the same declaration.
 *
 * @type {import('../violation.js').Rule}
 */
export function oneMeaning(workspace) {
  /** @type {Map<string, { home: string, entry: string }>} */
  const first = new Map();
  /** @type {Violation[]} */
  const found = [];
  for (const { path, specifier } of entriesOf(workspace)) {
    for (const { name, home, line } of exportsOf(workspace, path)) {
      const isOfOneEnd = atEitherEnd.names.has(name) && atEitherEnd.packages.has(specifier);
      const meant = isOfOneEnd ? `${name} of ${specifier}` : name;
      const known = first.get(meant);
      if (known === undefined) first.set(meant, { home, entry: specifier });
      else if (known.home !== home) {
        const message = `'${name}' is another thing in '${known.entry}' (${known.home}); this one is of ${home}: rename one, or export the same`;
        found.push({ path, line, rule: 'one-meaning', message });
      }
    }
  }
  return found;
}

/**
 * The entries of all packages, in a fixed order.
 *
 * @param {Workspace} workspace
 */
function entriesOf(workspace) {
  return [...workspace.units.values()]
    .filter(({ folder }) => folder.startsWith('packages/'))
    .flatMap(({ name, entries }) =>
      [...entries].map(([subpath, path]) => ({ path, specifier: posix.join(name, subpath) })),
    )
    .sort((a, b) => a.specifier.localeCompare(b.specifier));
}

/**
 * @param {Workspace} workspace
 * @param {string} path
 * @param {Set<string>} [seen] files that are being read
 * @returns {{ name: string, home: string, line: number }[]} `home` is the file of the declaration with its name there
 */
function exportsOf(workspace, path, seen = new Set()) {
  const exports = workspace.files.get(path)?.exports;
  if (exports === undefined || seen.has(path)) return [];
  seen.add(path);
  const named = [...exports.named].map(([name, { line }]) => ({
    name,
    home: homeOf(workspace, path, name),
    line,
  }));
  const passedOn = exports.stars.flatMap(({ from, line }) =>
    exportsOf(workspace, fileOf(workspace, path, from) ?? '', seen).map((one) => ({ ...one, line })),
  );
  return [...named, ...passedOn];
}

/**
 * Follows re-exports to the declaration, or as far as the workspace goes.
 *
 * @param {Workspace} workspace
 * @param {string} path
 * @param {string} name as the file exports it
 * @returns {string}
 */
function homeOf(workspace, path, name) {
  const exports = workspace.files.get(path)?.exports;
  const own = exports?.named.get(name);
  if (exports !== undefined && own === undefined) {
    const passedOn = exports.stars
      .flatMap(({ from }) => exportsOf(workspace, fileOf(workspace, path, from) ?? ''))
      .find((one) => one.name === name);
    if (passedOn !== undefined) return passedOn.home;
  }
  const origin = own?.from === undefined ? (exports?.imported.get(own?.name ?? name) ?? own) : own;
  if (origin?.from === undefined) return `${path} ${origin?.name ?? name}`;
  const next = fileOf(workspace, path, origin.from);
  return next === undefined ? `${origin.from} ${origin.name}` : homeOf(workspace, next, origin.name);
}

/**
 * @param {Workspace} workspace
 * @param {string} path
 * @param {string} specifier
 * @returns {string | undefined}
 */
function fileOf(workspace, path, specifier) {
  const target = workspace.resolve(path, specifier);
  const file = target.kind === 'file' || target.kind === 'entry' ? target.path : undefined;
  return file !== undefined && workspace.files.has(file) ? file : undefined;
}
