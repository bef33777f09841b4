import { builtinModules } from 'node:module';
import { CreateError } from '../failure.js';

const maxLength = 214;
/** Narrower than the rules of npm, which also allow `~` and a dash in the first place. */
const pattern = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;
const reserved = new Set(['node_modules', 'favicon.ico', 'package.json', ...builtinModules]);
/** Names that Windows does not allow for files, also with an extension. */
const devices = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?$/i;

/**
 * Returns why a name cannot be the name of a package; undefined if it can.
 * @param taken - the packages that the project depends on: a package cannot depend on its own name.
 */
export function nameProblem(name: string, taken: readonly string[] = []): string | undefined {
  if (name === '') return 'is empty';
  if (name.length > maxLength) return `has ${name.length} characters; ${maxLength} are allowed`;
  if (name !== name.toLowerCase()) return 'has capital letters';
  if (!pattern.test(name))
    return 'may have lower-case letters, digits, "-", "." and "_", with a letter or a digit first, and a scope such as "@me/"';
  if (reserved.has(name) || devices.test(unscoped(name))) return 'is a reserved name';
  if (taken.includes(name)) return 'is the name of a package that the project depends on';
  return undefined;
}

/**
 * @throws CreateError if the name cannot be the name of a package.
 */
export function requireName(name: string, taken: readonly string[]): void {
  const problem = nameProblem(name, taken);
  if (problem === undefined) return;
  const hint = `Choose another with --name, such as --name ${derivedName(name, taken)}.`;
  throw new CreateError(`The package name ${JSON.stringify(name.slice(0, maxLength))} ${problem}.`, { hint });
}

/** Returns a package name that is close to the name of a folder. */
export function derivedName(folder: string, taken: readonly string[]): string {
  const name = folder
    .normalize('NFKD')
    .replace(/\p{M}/gu, '') // the marks of letters
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[-._]+|[-._]+$/g, '')
    .slice(0, 100);
  if (name === '') return 'mcp-server';
  if (nameProblem(name, taken) === undefined) return name;
  const longer = `${name}-server`;
  return nameProblem(longer, taken) === undefined ? longer : 'mcp-server';
}

/** Returns a package name without its scope. */
export function unscoped(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

/**
 * @param path - a folder as the user wrote it.
 * @throws CreateError if a folder of that path cannot be made on every operating system.
 */
export function requireFolderName(path: string): void {
  const parts = path.split(/[/\\]/);
  const bad = parts.find((part) => folderProblem(part) !== undefined);
  if (bad === undefined) return;
  throw new CreateError(`The folder ${JSON.stringify(path.slice(0, 300))} ${folderProblem(bad)}.`, {
    hint: 'Choose another folder.',
  });
}

function folderProblem(part: string): string | undefined {
  if (/\p{Cc}/u.test(part)) return 'has control characters';
  if (/[<>"|?*]/.test(part)) return 'has one of the characters < > " | ? *';
  if (Buffer.byteLength(part) > 200) return 'has a name that is longer than 200 bytes';
  if (devices.test(part)) return `has the name ${part}, which Windows reserves`;
  return /[^.][. ]$/.test(part) ? 'has a name that ends with a dot or a space' : undefined;
}
