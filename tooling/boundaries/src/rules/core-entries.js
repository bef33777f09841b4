import { isTransport, roomOf, rooms } from '../rooms.js';

/** @typedef {import('../violation.js').Violation} Violation */

/**
 * The core entry of each such room reaches no Node built-in and no transport, directly or through what it imports, so
 * that it also runs in workers and browsers. What it loads lazily, on an author's word, does not count.
 *
 * @type {import('../violation.js').Rule}
 */
export function coreEntries(workspace) {
  /** @type {Map<string, Violation>} */
  const found = new Map();
  for (const [room, { coreEntry }] of rooms) {
    const entry = `packages/${room}/src/index.ts`;
    if (coreEntry !== true || !workspace.files.has(entry)) continue;
    for (const violation of walk(workspace, entry)) {
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
