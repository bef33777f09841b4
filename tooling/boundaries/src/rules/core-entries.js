import { isTransport, needsNode, roomOf, rooms } from '../rooms.js';

/** @typedef {import('../violation.js').Violation} Violation */

/**
 * The core entry of each such room reaches no Node built-in and no transport by static imports, directly or through what
 * it imports; and in a bundle for a browser it reaches nothing that needs Node by dynamic imports either.
 *
 * @type {import('../violation.js').Rule}
 */
export function coreEntries(workspace) {
  /** @type {Map<string, Violation>} */
  const found = new Map();
  for (const [room, { coreEntry }] of rooms) {
    const entry = `packages/${room}/src/index.ts`;
    if (coreEntry !== true || !workspace.files.has(entry)) continue;
    const violations = walk(workspace, entry);
    for (const violation of violations.length > 0 ? violations : walkInBrowser(workspace, entry)) {
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
function walk(workspace, entry) {
  const found = [];
  const ways = new Map([[entry, [entry]]]);
  for (const [path, way] of ways) {
    const file = workspace.files.get(path);
    for (const { specifier, line, lazy } of file?.imports ?? []) {
      if (specifier === undefined || lazy) continue;
      const target = workspace.resolve(path, specifier);
      const room = target.kind === 'entry' ? workspace.roomOf(target.unit) : roomOf(path);
      if (target.kind === 'builtin' || isTransport(room)) {
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
 * Follows dynamic imports too, and of several files for one name the one for browsers.
 *
 * @param {import('../workspace.js').Workspace} workspace
 * @param {string} entry
 * @returns {Violation[]}
 */
function walkInBrowser(workspace, entry) {
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
