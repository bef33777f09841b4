import type { Choices } from './choices.js';
import { type ProjectFiles, readLayers } from './layers.js';
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
