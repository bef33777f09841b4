import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Choices } from './choices.js';

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
