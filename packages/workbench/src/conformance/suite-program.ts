import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { WorkbenchError } from '../failures/workbench-error.js';

/** The version of the suite that is downloaded. */
export const suiteVersion = '0.2.0-alpha.12';
const suitePackage = '@modelcontextprotocol/conformance';
const leastNode = 22;

/** The circumstances that decide how the suite is started. */
export interface SuitePlace {
  /** The folder from which an installed suite is looked up. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The Node that runs this program. */
  readonly node: { readonly path: string; readonly version: string };
  readonly platform: string;
  readonly arch: string;
}

/** The user's choices. */
export interface SuiteChoice {
  /** A Node that runs the suite. */
  readonly nodePath?: string | undefined;
  /** The version to download. Default: {@link suiteVersion}. */
  readonly version?: string | undefined;
  /** False to fail instead of downloading. Default: true. */
  readonly mayDownload?: boolean | undefined;
}

/** The command that starts the suite. */
export interface SuiteProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** The version of the suite. */
  readonly version: string;
  /** The Node that npx has to find first. */
  readonly node?: string;
  /** Packages that npx downloads unless its cache has them. */
  readonly downloads: readonly string[];
}

/**
 * Finds the official suite, and a Node that can run it: the installed ones, or else npx downloads them.
 * @throws WorkbenchError `usage` if it would have to download, and may not.
 */
export function suiteProgram(place: SuitePlace, choice: SuiteChoice = {}): SuiteProgram {
  const { version = suiteVersion, mayDownload = true } = choice;
  if (!/^[\w.+-]{1,64}$/.test(version))
    throw new WorkbenchError('usage', `"${version}" is not a version of ${suitePackage}.`);
  const installed = choice.version === undefined ? installedSuite(place.cwd) : undefined;
  const node = choice.nodePath ?? fittingNode(place);
  if (installed !== undefined && node !== undefined)
    return { command: node, args: [installed.file], version: installed.version, downloads: [] };
  const downloads = [
    ...(node === undefined ? [`node@${leastNode}`] : []),
    ...(installed === undefined ? [`${suitePackage}@${version}`] : []),
  ];
  if (!mayDownload) throw mayNot(downloads, place);
  const words = downloads.flatMap((name) => ['-p', name]);
  return {
    command: 'npx',
    // npx puts the programs of the packages first in PATH, also the Node.
    args: ['--yes', ...words, ...(installed === undefined ? ['conformance'] : ['node', installed.file])],
    ...(node !== undefined && { node }),
    version: installed?.version ?? version,
    downloads,
  };
}

function mayNot(downloads: readonly string[], { node }: SuitePlace): WorkbenchError {
  const isNode = downloads.some((name) => name.startsWith('node@'));
  const why = isNode ? ` The suite needs Node ${leastNode}, and this is ${node.version}.` : '';
  return new WorkbenchError('usage', `The suite would have to download ${downloads.join(' and ')}.${why}`, {
    hint: `Install it (npm install --save-dev ${suitePackage}@${suiteVersion})${isNode ? ', and name a newer Node with --node PATH' : ''}, or leave --no-download out.`,
  });
}

interface InstalledSuite {
  readonly file: string;
  readonly version: string;
}

function installedSuite(cwd: string): InstalledSuite | undefined {
  const manifest = resolved(`${suitePackage}/package.json`, cwd);
  if (manifest === undefined) return undefined;
  const { version, bin } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    readonly version: string;
    readonly bin: { readonly conformance: string };
  };
  return { file: join(dirname(manifest), bin.conformance), version };
}

/** Returns this Node if it is new enough, or else an installed one: of npm, or of nvm. */
function fittingNode(place: SuitePlace): string | undefined {
  const { node, cwd, platform, arch, env } = place;
  if (Number.parseInt(node.version, 10) >= leastNode) return node.path;
  const manifest = resolved(`node-${platform}-${arch}/package.json`, cwd);
  if (manifest !== undefined) {
    const path = join(dirname(manifest), 'bin', 'node');
    if (existsSync(path)) return path;
  }
  const folder = join(env.NVM_DIR ?? join(env.HOME ?? '/', '.nvm'), 'versions', 'node');
  const [newest] = versionsIn(folder).filter((version) => Number.parseInt(version.slice(1), 10) >= leastNode);
  return newest === undefined ? undefined : join(folder, newest, 'bin', 'node');
}

/** Newest first. */
function versionsIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const numbers = new Intl.Collator('en', { numeric: true });
  return readdirSync(folder)
    .filter((name) => /^v\d+\./.test(name))
    .sort((left, right) => numbers.compare(right, left));
}

function resolved(name: string, cwd: string): string | undefined {
  try {
    return createRequire(join(cwd, 'package.json')).resolve(name);
  } catch {
    return undefined;
  }
}
