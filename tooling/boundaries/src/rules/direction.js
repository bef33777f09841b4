import { posix } from 'node:path';
import { isTransport, packageOf, packages, transportEntries } from '../packages.js';

/** @typedef {import('../violation.js').Violation} Violation */
/** @typedef {import('../workspace.js').Workspace} Workspace */
/** @typedef {import('../source-file.js').SourceFile} SourceFile */

/** Files that the tests of every package, and all of `tooling`, may import by a relative path. */
const forTests =
  /^(?:tooling\/suite\/|packages\/(?:client|server)\/test\/|packages\/testing\/src\/fake-clock\.ts$)/;

/**
 * Checks each import: direction, deep imports, transports outside their entries, computed module names, undeclared
 * dependencies.
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
    const mayUseTestFiles = file.isTest || file.path.startsWith('tooling/');
    if (mayUseTestFiles && forTests.test(target.path)) return undefined;
    return deep(specifier, 'import it by the name of its package');
  }
  if (target.kind !== 'entry' || target.unit === workspace.unitOf(file.path)) return undefined;
  const to = workspace.packageOf(target.unit);
  const problem = directionProblem(packageOf(file.path), to);
  if (problem !== undefined) return { rule: 'direction', message: problem };
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
  return { rule: 'deep-import', message: `'${specifier}' is not an entry of its package; ${advice}` };
}

/**
 * @param {string} from
 * @param {string} to
 */
function directionProblem(from, to) {
  if (from === to) return undefined;
  const rules = packages.get(from);
  if (rules === undefined)
    return `'${from}' is not a known package; add it to the table in tooling/boundaries/src/packages.js`;
  if (rules.imports.includes(to)) return undefined;
  const allowed = rules.imports.length === 0 ? 'nothing' : rules.imports.join(', ');
  return `${from} may import ${allowed}, not ${to}; move the code to the package it belongs to`;
}

/**
 * @param {SourceFile} file
 * @param {string} to
 */
function outsideEntry(file, to) {
  const from = packageOf(file.path);
  if (file.isTest || !isTransport(to) || packages.get(from)?.transportEntriesOnly !== true) return undefined;
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
  const unit = workspace.unitOf(file.path);
  if (unit === undefined || unit.dependencies.has(name)) return undefined;
  if (unit.devDependencies.has(name) && workspace.units.get(name)?.isPrivate === true) return undefined;
  const message = `'${name}' is not among the dependencies in package.json; add it, or import it in tests only`;
  return { rule: 'dependency', message };
}

/**
 * Applies the rules of direction to the dependencies in each package.json.
 *
 * @param {Workspace} workspace
 * @returns {Violation[]}
 */
function manifests(workspace) {
  const found = [];
  for (const unit of workspace.units.values()) {
    const path = `${unit.folder}/package.json`;
    const from = workspace.packageOf(unit);
    const outside = [...unit.dependencies].filter((name) => !workspace.units.has(name));
    if (packages.get(from)?.noDependencies === true && outside.length > 0) {
      const message = `${from} has no runtime dependencies; remove ${outside.join(', ')}`;
      found.push({ path, line: 1, rule: 'dependency', message });
    }
    for (const name of [...unit.dependencies, ...unit.devDependencies]) {
      const other = workspace.units.get(name);
      // The build makes its code a part of the package.
      const part = other?.isPrivate === true && path.startsWith('packages/') ? other : undefined;
      const missing = [...(part?.dependencies ?? [])].filter((one) => !unit.dependencies.has(one));
      if (missing.length > 0) {
        const message = `${from} contains the code of ${name}; add what it depends on: ${missing.join(', ')}`;
        found.push({ path, line: 1, rule: 'dependency', message });
      }
      const message = other === undefined ? undefined : directionProblem(from, workspace.packageOf(other));
      if (message !== undefined) found.push({ path, line: 1, rule: 'direction', message });
    }
  }
  return found;
}
