import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Choices } from './choices.js';
import { unscoped } from './names.js';
import { commandsOf } from './package-managers.js';

/** The place of the templates, and the versions of the packages in them. */
export interface TemplateSource {
  /** The folder of the templates, an absolute path. */
  readonly templates: string;
  /** Version ranges by package name, for dependencies that templates write as `workspace:*` or `catalog:`. */
  readonly ranges: Readonly<Record<string, string>>;
}

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** Returns the files of a project. */
export function compose({ templates, ranges }: TemplateSource, choices: Choices): ProjectFiles {
  const { packageName, packageManager, auth } = choices;
  const words: Readonly<Record<string, string>> = {
    packageName,
    serverName: unscoped(packageName),
    ...commandsOf(packageManager),
    // A protected server does not start without its settings.
    dockerEnv: auth ? '--env-file .env ' : '',
  };
  const files = readLayers(templates, choices);
  for (const [path, text] of files) files.set(path, filled(path, text, words));
  files.set('package.json', withVersions(files.get('package.json') ?? '{}', ranges));
  return files;
}

/** Returns the names of the packages that a project depends on. */
export function dependenciesOf(templates: string, choices: Choices): string[] {
  const manifest = JSON.parse(readLayers(templates, choices).get('package.json') ?? '{}') as Manifest;
  return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
}

function filled(path: string, text: string, words: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const word = Object.hasOwn(words, name) ? words[name] : undefined;
    if (word === undefined) throw new Error(`The template file ${path} has the unknown word {{${name}}}.`);
    return word;
  });
}

function withVersions(text: string, ranges: TemplateSource['ranges']): string {
  const manifest = JSON.parse(text) as Manifest;
  for (const field of ['dependencies', 'devDependencies'] as const) {
    const entries = Object.entries(manifest[field] ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
    if (entries.length === 0) continue;
    manifest[field] = Object.fromEntries(
      entries.map(([name, range]) => [name, rangeOf(name, range, ranges)]),
    );
  }
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

function rangeOf(name: string, range: string, ranges: TemplateSource['ranges']): string {
  if (range !== 'workspace:*' && range !== 'catalog:') return range;
  const found = Object.hasOwn(ranges, name) ? ranges[name] : undefined;
  if (found === undefined) throw new Error(`The version of ${name} is not known.`);
  return found;
}

/** The text of each file of a project by its path, with forward slashes. */
export type ProjectFiles = ReadonlyMap<string, string>;

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

const order = ['base', 'stdio', 'http', 'workers', 'next', 'auth', 'docker', 'test'];

/**
 * Returns the folders of `templates` that a project is made of, from the general one to the special ones. A folder such as
 * `http+auth` is for projects that have all of its parts.
 */
export function layersOf(folders: readonly string[], choices: Choices): string[] {
  const { template, auth, docker, test } = choices;
  const chosen = new Set(['base', template, auth && 'auth', docker && 'docker', test && 'test']);
  const rank = (folder: string): number[] => folder.split('+').map((part) => order.indexOf(part));
  return folders
    .filter((folder) => folder.split('+').every((part) => chosen.has(part)))
    .sort((a, b) => {
      const [one, other] = [rank(a), rank(b)];
      return Math.max(...one) - Math.max(...other) || one.length - other.length;
    });
}

/**
 * Reads the files of a project. A file of a later layer replaces the one of an earlier layer, with exceptions:
 * `package.json` and `tsconfig.json` are merged (RFC 7396), `README.md`, `AGENTS.md` and `.gitignore` are appended.
 * @param templates - an absolute path.
 */
export function readLayers(templates: string, choices: Choices): Map<string, string> {
  const files = new Map<string, string>();
  for (const layer of layersOf(readdirSync(templates), choices)) {
    for (const { path, text } of filesIn(join(templates, layer))) {
      const earlier = files.get(path);
      files.set(path, earlier === undefined ? text : combined(path, earlier, text));
    }
  }
  return files;
}

function filesIn(folder: string): { readonly path: string; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = file.slice(folder.length + 1).replaceAll(sep, '/');
      // npm does not publish files with the name `.gitignore`.
      return { path: path.replace(/(^|\/)_gitignore$/, '$1.gitignore'), text: readFileSync(file, 'utf8') };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function combined(path: string, earlier: string, text: string): string {
  if (['README.md', 'AGENTS.md', '.gitignore'].includes(path)) return earlier + text;
  if (path !== 'package.json' && path !== 'tsconfig.json') return text;
  const merged = mergePatch(JSON.parse(earlier) as Json, JSON.parse(text) as Json);
  return `${JSON.stringify(merged, undefined, 2)}\n`;
}

/** JSON Merge Patch, RFC 7396. */
function mergePatch(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const merged: Record<string, Json> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(merged, name);
    else merged[name] = mergePatch(merged[name] ?? null, value);
  }
  return merged;
}

function isObject(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
