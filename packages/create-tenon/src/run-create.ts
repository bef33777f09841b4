import { spawn } from 'node:child_process';
import { basename, resolve } from 'node:path';
import { CreateError } from './failure.js';
import { type Choices, requireFeature } from './project/choices.js';
import { compose, dependenciesOf, type TemplateSource } from './project/compose.js';
import { derivedName, requireFolderName, requireName } from './project/names.js';
import { commandsOf, runningPackageManager } from './project/package-managers.js';
import { conflictsIn, folderState, writeProject } from './project/write.js';
import type { Prompts } from './terminal/prompts.js';
import type { Source, Words } from './terminal/words.js';

const defaultFolder = 'mcp-server';

/** The parts of a run that tests replace. */
export interface Tools extends TemplateSource {
  readonly run: RunCommand;
  /** Undefined without a terminal. */
  readonly prompts: Prompts | undefined;
}

/** The result of a run. */
export interface Created {
  /** An absolute path. */
  readonly folder: string;
  readonly name: string;
  readonly template: string;
  readonly packageManager: string;
  /** Paths in the folder. */
  readonly files: readonly string[];
  /** Paths of files that were there and have another text now. */
  readonly replaced: readonly string[];
  /** False if an installation was not wanted, or failed. */
  readonly installed: boolean;
  /** True if the installation failed or was interrupted. */
  readonly installFailed: boolean;
  /** True if a git repository was made. */
  readonly git: boolean;
  /** Commands to go on with. */
  readonly next: readonly string[];
}

/**
 * Creates a project.
 * @throws CreateError if an argument is wrong or something cannot be written; Cancelled after Ctrl+C.
 */
export async function createProject(words: Words, source: Source, tools: Tools): Promise<Created> {
  requireConsistent(words);
  const written = await folderOf(words, source, tools);
  const folder = resolve(source.cwd, written);
  const choices = await choicesOf(words, { folder, userAgent: source.env.npm_config_user_agent }, tools);
  const files = compose(tools, choices);
  const replaced = conflictsIn(folder, files);
  await requirePermission(replaced, words, tools);
  const question = `Install the dependencies with ${choices.packageManager}?`;
  const installs = words.install ?? (await tools.prompts?.agree(question, true)) ?? true;
  source.signal.throwIfAborted();
  writeProject(folder, files);

  const run = (command: readonly string[], quiet: boolean) =>
    tools.run(command, { cwd: folder, quiet, signal: source.signal });
  const inRepository = async () => run(['git', 'rev-parse', '--is-inside-work-tree'], true);
  const git = words.git !== false && !(await inRepository()) && (await run(['git', 'init', '--quiet'], true));
  const { install, run: script } = commandsOf(choices.packageManager);
  const installed = installs && (await run(install.split(' '), false));
  const enter = folder === resolve(source.cwd) ? [] : [`cd ${quoted(written)}`];
  return {
    folder,
    name: choices.packageName,
    template: choices.template,
    packageManager: choices.packageManager,
    files: [...files.keys()].sort(),
    replaced,
    installed,
    installFailed: installs && !installed,
    git,
    next: [...enter, ...(installed ? [] : [install]), `${script} dev`],
  };
}

/** Rejects wrong options before the user answers prompts. */
function requireConsistent({ name, template, auth, docker }: Words): void {
  if (name !== undefined) requireName(name, []);
  if (template === undefined) return;
  if (auth) requireFeature(template, 'auth');
  if (docker) requireFeature(template, 'docker');
}

async function folderOf(words: Words, source: Source, { prompts }: Tools): Promise<string> {
  const problemOf = (folder: string): CreateError | undefined => {
    try {
      requireFolderName(folder);
      const { entries } = folderState(resolve(source.cwd, folder));
      if (entries.length === 0 || words.force) return undefined;
      const [first, second, ...others] = entries;
      const list = [first, second, others.length > 0 ? `${others.length} more` : undefined];
      const names = list
        .filter(Boolean)
        .join(', ')
        .replace(/\p{Cc}/gu, '');
      const text = `${folder} is not empty: it has ${names}.`;
      return new CreateError(text, { hint: 'Choose another folder, or write into this one with --force.' });
    } catch (error) {
      if (error instanceof CreateError) return error;
      throw error;
    }
  };
  const folder =
    words.folder ??
    (await prompts?.line('Which folder?', defaultFolder, (answer) => problemOf(answer)?.message)) ??
    defaultFolder;
  if (folder === '') throw new CreateError('The folder is empty.', { hint: 'Use "." for this folder.' });
  const problem = problemOf(folder);
  if (problem !== undefined) throw problem;
  return folder;
}

async function choicesOf(
  words: Words,
  { folder, userAgent }: { readonly folder: string; readonly userAgent: string | undefined },
  { prompts, templates }: Tools,
): Promise<Choices> {
  const template = words.template ?? (await prompts?.template()) ?? 'stdio';
  for (const feature of ['auth', 'docker'] as const) if (words[feature]) requireFeature(template, feature);
  const { auth = false, docker = false, test = true } = (await prompts?.features(template, words)) ?? words;
  const packageManager = words.packageManager ?? runningPackageManager(userAgent);
  const draft = { template, auth, docker, test, packageManager, packageName: '' };
  const taken = dependenciesOf(templates, draft);
  const preset = derivedName(basename(folder), taken);
  if (words.name !== undefined) requireName(words.name, taken);
  return { ...draft, packageName: words.name ?? preset };
}

async function requirePermission(
  replaced: readonly string[],
  { yes }: Words,
  { prompts }: Tools,
): Promise<void> {
  if (replaced.length === 0 || yes) return;
  const list = `${replaced.slice(0, 10).join(', ')}${replaced.length > 10 ? ' and more' : ''}`;
  if (prompts === undefined)
    throw new CreateError(`These files exist: ${list}.`, {
      hint: 'Move them away, or replace them with --force --yes.',
    });
  const isAllowed = await prompts.agree(`Replace ${list}?`, false);
  if (!isAllowed) throw new CreateError('The files were kept. Nothing was written.');
}

/** Returns a path as one word for the shell. */
function quoted(path: string): string {
  const plain = path.startsWith('-') ? `./${path}` : path;
  return /^[\w@%+=:,./\\~-]+$/.test(plain) ? plain : `"${plain.replace(/["$`\\]/g, '\\$&')}"`;
}

/** Runs a program in a folder. Resolves with true if it ended with 0; never rejects. */
export type RunCommand = (
  command: readonly string[],
  options: { readonly cwd: string; readonly quiet: boolean; readonly signal: AbortSignal },
) => Promise<boolean>;

/** Runs a program without stdin. All of its output goes to stderr, because stdout is for the result. */
export const runCommand: RunCommand = ([program = '', ...args], { cwd, quiet, signal }) =>
  new Promise((resolve) => {
    const out = quiet ? 'ignore' : process.stderr.fd;
    // On Windows npm is a script, which only a shell can start. No argument is from the user.
    const shell = process.platform === 'win32';
    const child = spawn(program, args, { cwd, shell, signal, stdio: ['ignore', out, out] });
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
