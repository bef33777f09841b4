import { isTransport, needsNode, packageOf, packages } from '../packages.js';

/** @typedef {import('../violation.js').Violation} Violation */

/**
 * A core entry reaches no Node built-in and no transport by static imports, directly or through other files. In a bundle
 * for a browser it reaches nothing that needs Node, by dynamic imports either.
 *
 * @type {import('../violation.js').Rule}
 */
export function coreEntries(workspace) {
  /** @type {Map<string, Violation>} */
  const found = new Map();
  for (const [name, { coreEntry }] of packages) {
    const entry = `packages/${name}/src/index.ts`;
    if (coreEntry !== true || !workspace.files.has(entry)) continue;
    const violations = followStatic(workspace, entry);
    for (const violation of violations.length > 0 ? violations : followInBrowser(workspace, entry)) {
      const place = `${violation.path}:${violation.line}`;
      if (!found.has(place)) found.set(place, violation);
    }
  }
  return [...found.values()];
}

/**
 * @param {import('../workspace.js').Workspace} workspace
 * @param {string} entry
 * @returns {Violation[]}
 */
function followStatic(workspace, entry) {
  const found = [];
  const ways = new Map([[entry, [entry]]]);
  for (const [path, way] of ways) {
    const file = workspace.files.get(path);
    for (const { specifier, line, lazy } of file?.imports ?? []) {
      if (specifier === undefined || lazy) continue;
      const target = workspace.resolve(path, specifier);
      const name = target.kind === 'entry' ? workspace.packageOf(target.unit) : packageOf(path);
      if (target.kind === 'builtin' || isTransport(name)) {
        const what =
          target.kind === 'builtin' ? `the Node built-in '${specifier}'` : `the transport '${specifier}'`;
        const message = `core entry reaches ${what}: ${way.join(' -> ')}; keep it behind a port or a subpath entry`;
        found.push({ path, line, rule: 'core-entry', message });
        continue;
      }
      const next = target.kind === 'file' || target.kind === 'entry' ? target.path : undefined;
      if (next !== undefined && workspace.files.has(next) && !ways.has(next)) ways.set(next, [...way, next]);
    }
  }
  return found;
}

/**
 * Follows dynamic imports as well, and uses the browser's file if `imports` offers several.
 *
 * @param {import('../workspace.js').Workspace} workspace
 * @param {string} entry
 * @returns {Violation[]}
 */
function followInBrowser(workspace, entry) {
  const found = [];
  const ways = new Map([[entry, [entry]]]);
  for (const [path, way] of ways) {
    for (const { specifier, line } of workspace.files.get(path)?.imports ?? []) {
      if (specifier === undefined) continue;
      const target = workspace.resolve(path, specifier, 'browser');
      if (target.kind === 'builtin' || (target.kind === 'external' && needsNode.has(target.name))) {
        const message = `core entry reaches '${specifier}' in a browser: ${way.join(' -> ')}; choose another file for browsers in "imports" of package.json`;
        found.push({ path, line, rule: 'core-entry', message });
      }
      const next = target.kind === 'file' || target.kind === 'entry' ? target.path : undefined;
      if (next !== undefined && workspace.files.has(next) && !ways.has(next)) ways.set(next, [...way, next]);
    }
  }
  return found;
}
