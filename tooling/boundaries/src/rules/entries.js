import { posix } from 'node:path';

/**
 * The names an extension is made of, and the extensions themselves. Server and client export the same names so that authors write
 * both halves alike; each half is a module of its own, which imports one of the two packages.
 */
const atEitherEnd = {
  names: new Set([
    'defineExtension',
    'listen',
    'HandledNotification',
    'serve',
    'ServedMethod',
    'tasks',
    'idempotency',
    'otel',
    'OtelOptions',
  ]),
  packages: new Set([
    '@tenon/mcp-client/extension',
    '@tenon/mcp-server/extension',
    '@tenon/mcp-idempotency/client',
    '@tenon/mcp-idempotency/server',
    '@tenon/mcp-otel/client',
    '@tenon/mcp-otel/server',
    '@tenon/mcp-tasks/client',
    '@tenon/mcp-tasks/server',
  ]),
};

/** @typedef {import('../violation.js').Violation} Violation */
/** @typedef {import('../workspace.js').Workspace} Workspace */

const internalEntry = /^@tenon\/[^/]+\/(?:.+\/)?internal$/;
const publicOnly =
  /^(?:(?:apps|examples)\/|packages\/(?:idempotency|mcp-apps|openapi|otel|skills|tasks)\/src\/(?!.*\.test(?:-d)?\.ts$))/;
const importOfInternal = /(?:\bfrom|\bimport)\s*\(?\s*['"](@tenon\/[^'"]+)['"]/;

/** The list of the types of messages, which is one for all packages. */
const messageTypes = /^(?:@tenon\/mcp-protocol\/types|\.\/message-types\.js)$/;

/**
 * An entry lists each public name: `export *` would publish every name that a file exports later. The types of messages are such a list.
 *
 * @type {import('../violation.js').Rule}
 */
export function chosenExports(workspace) {
  return entriesOf(workspace).flatMap(({ path }) =>
    (workspace.files.get(path)?.exports.stars ?? [])
      .filter(({ from }) => !messageTypes.test(from))
      .map(({ from, line }) => ({
        path,
        line,
        rule: 'export-star',
        message: `an entry exports all of '${from}'; list the names that users need`,
      })),
  );
}

/**
 * The `/internal` entry of a package is for other packages and tooling. Apps, examples, pages and the extensions of the project use
 * public entries: what an extension needs must be there for the extensions of others.
 *
 * @type {import('../violation.js').Rule}
 */
export function internalEntries(workspace) {
  const found = [];
  for (const { path, imports } of workspace.files.values()) {
    if (!publicOnly.test(path)) continue;
    for (const { specifier, line } of imports)
      if (specifier !== undefined && internalEntry.test(specifier))
        found.push(notPublic(path, line, specifier));
  }
  for (const [path, text] of workspace.pages) {
    for (const [index, line] of text.split('\n').entries()) {
      const specifier = importOfInternal.exec(line)?.[1];
      if (specifier !== undefined && internalEntry.test(specifier))
        found.push(notPublic(path, index + 1, specifier));
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
function notPublic(path, line, specifier) {
  const message = `'${specifier}' is not public; use a public entry, or make the name public`;
  return { path, line, rule: 'internal-entry', message };
}

/**
 * A name has one meaning in all packages: entries that export the same name export the same declaration.
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
      const isOfOneEnd =
        (atEitherEnd.names.has(name) && atEitherEnd.packages.has(specifier)) || isExtension(name, specifier);
      const meant = isOfOneEnd ? `${name} of ${specifier}` : name;
      const known = first.get(meant);
      if (known === undefined) first.set(meant, { home, entry: specifier });
      else if (known.home !== home) {
        const message = `'${name}' has another meaning in '${known.entry}' (${known.home}); this one is declared in ${home}: rename one, or export the same declaration`;
        found.push({ path, line, rule: 'one-meaning', message });
      }
    }
  }
  return found;
}

/**
 * True for the function that makes an extension, which has the name of its package: `skills` of `@tenon/mcp-skills/server` and of
 * `@tenon/mcp-skills/client`.
 *
 * @param {string} name
 * @param {string} specifier
 */
function isExtension(name, specifier) {
  return specifier === `@tenon/mcp-${name}/server` || specifier === `@tenon/mcp-${name}/client`;
}

/**
 * Returns the entries of all packages, in a fixed order.
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
 * @returns {{ name: string, home: string, line: number }[]} `home` is the declaration's file, and its name there
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
 * Follows re-exports to the declaration, or to the first module outside the workspace.
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
