import { posix } from 'node:path';
import { isTransport, roomOf, rooms, transportEntries } from '../rooms.js';

/** @typedef {import('../violation.js').Violation} Violation */
/** @typedef {import('../workspace.js').Workspace} Workspace */
/** @typedef {import('../source-file.js').SourceFile} SourceFile */

/** What the tests of every package may use, and what they are made of in `tooling`. */
const forTests = 'tooling/suite/';

/**
 * Which rooms a file may reach, and through which door: direction, deep imports, transports outside their entries,
 * imports that cannot be read, dependencies that are not declared.
 *
 * @type {import('../violation.js').Rule}
 */
export function direction(workspace) {
  const found = [];
  for (const file of workspace.files.values()) {
    for (const { specifier, line } of file.imports) {
      const complaint = judge(workspace, file, specifier);
      if (complaint !== undefined) found.push({ path: file.path, line, ...complaint });
    }
  }
  return [...found, ...manifests(workspace)];
}

/**
 * @param {Workspace} workspace
 * @param {SourceFile} file
 * @param {string | undefined} specifier
 * @returns {{ rule: string, message: string } | undefined}
 */
function judge(workspace, file, specifier) {
  if (specifier === undefined) {
    if (!file.path.startsWith('packages/') || file.isTest) return undefined;
    return { rule: 'computed-import', message: 'the module is computed; import it by a literal name' };
  }
  const target = workspace.resolve(file.path, specifier);
  if (target.kind === 'external') return undeclared(workspace, file, target.name);
  if (target.kind === 'file') {
    const unit = workspace.unitOf(file.path);
    if (unit === undefined || target.path.startsWith(`${unit.folder}/`)) return undefined;
    const mayUseSuite = file.isTest || file.path.startsWith('tooling/');
    if (mayUseSuite && target.path.startsWith(forTests)) return undefined;
    return deep(specifier, 'import it by the name of its package');
  }
  if (target.kind !== 'entry' || target.unit === workspace.unitOf(file.path)) return undefined;
  const to = workspace.roomOf(target.unit);
  const against = wrongWay(roomOf(file.path), to);
  if (against !== undefined) return { rule: 'direction', message: against };
  if (target.path === undefined) {
    return deep(
      specifier,
      `use what ${target.unit.name} exports: ${[...target.unit.entries.keys()].join(', ')}`,
    );
  }
  return outsideEntry(file, to) ?? undeclared(workspace, file, target.unit.name);
}

/**
 * @param {string} specifier
 * @param {string} advice
 */
function deep(specifier, advice) {
  return { rule: 'deep-import', message: `'${specifier}' reaches into another package; ${advice}` };
}

/**
 * @param {string} from
 * @param {string} to
 */
function wrongWay(from, to) {
  if (from === to) return undefined;
  const room = rooms.get(from);
  if (room === undefined)
    return `'${from}' is not a room yet; add it to the table in tooling/boundaries/src/rooms.js`;
  if (room.imports.includes(to)) return undefined;
  const allowed = room.imports.length === 0 ? 'nothing' : room.imports.join(', ');
  return `${from} may import ${allowed}, not ${to}; move the code to the room it belongs to`;
}

/**
 * @param {SourceFile} file
 * @param {string} to
 */
function outsideEntry(file, to) {
  const from = roomOf(file.path);
  if (file.isTest || !isTransport(to) || rooms.get(from)?.transportEntriesOnly !== true) return undefined;
  const isEntry = transportEntries.some((name) => file.path === posix.join('packages', from, 'src', name));
  if (isEntry) return undefined;
  const message = `only ${transportEntries.join(', ')} of ${from}/src may import a transport; move the import there`;
  return { rule: 'transport-entry', message };
}

/**
 * @param {Workspace} workspace
 * @param {SourceFile} file
 * @param {string} name
 */
function undeclared(workspace, file, name) {
  if (file.isTest || !file.path.startsWith('packages/')) return undefined;
  if (workspace.unitOf(file.path)?.dependencies.has(name) !== false) return undefined;
  const message = `'${name}' is not among the dependencies in package.json; add it, or import it in tests only`;
  return { rule: 'dependency', message };
}

/**
 * What a package.json declares must keep the same directions as the imports.
 *
 * @param {Workspace} workspace
 * @returns {Violation[]}
 */
function manifests(workspace) {
  const found = [];
  for (const unit of workspace.units.values()) {
    const path = `${unit.folder}/package.json`;
    const from = workspace.roomOf(unit);
    const outside = [...unit.dependencies].filter((name) => !workspace.units.has(name));
    if (rooms.get(from)?.noDependencies === true && outside.length > 0) {
      const message = `${from} has no runtime dependencies; remove ${outside.join(', ')}`;
      found.push({ path, line: 1, rule: 'dependency', message });
    }
    for (const name of [...unit.dependencies, ...unit.devDependencies]) {
      const other = workspace.units.get(name);
      const message = other === undefined ? undefined : wrongWay(from, workspace.roomOf(other));
      if (message !== undefined) found.push({ path, line: 1, rule: 'direction', message });
    }
  }
  return found;
}
