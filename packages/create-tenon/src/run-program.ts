import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Cancelled, CreateError } from './failure.js';
import { type Created, createProject, type RunCommand, type Tools } from './run-create.js';
import {
  help,
  isInteractive,
  parseWords,
  requireOptionsFromNpm,
  type Source,
  type Words,
} from './terminal/words.js';

/** The parts of the program that tests replace. */
export interface ProgramSetup {
  readonly run: RunCommand;
  /** Returns the version range of each package that templates use, by name. */
  readonly ranges: () => Tools['ranges'];
}

/**
 * Runs the program, and returns its exit code: 0, 1 after an error, 130 after Ctrl+C. It does not reject.
 * @param words - the arguments without the program.
 */
export async function runProgram(
  words: readonly string[],
  source: Source,
  setup: ProgramSetup,
): Promise<number> {
  const isJson = words.includes('--json');
  try {
    requireOptionsFromNpm(source.env);
    const given = parseWords(words);
    if (given.help) source.output.write(help);
    else if (given.version) source.output.write(`${ownVersion()}\n`);
    else return await create(given, source, setup);
    return 0;
  } catch (error) {
    return report(error, source, isJson);
  }
}

async function create(words: Words, source: Source, { run, ranges }: ProgramSetup): Promise<number> {
  const isAsked = isInteractive(source) && !words.yes && !words.json;
  // Loaded only to ask: the prompts take longer to load than the rest.
  const prompts = isAsked ? new (await import('./terminal/prompts.js')).Prompts(source) : undefined;
  const tools: Tools = { templates: templatesFolder, ranges: ranges(), run, prompts };
  const created = await createProject(words, source, tools);
  if (prompts !== undefined) source.error.write('\n');
  source.output.write(words.json ? `${JSON.stringify(created)}\n` : textOf(created));
  if (source.signal.aborted) return 130;
  if (created.installFailed)
    source.error.write('error: The installation failed. The project itself is complete.\n');
  return created.installFailed ? 1 : 0;
}

function textOf({ folder, template, files, replaced, next }: Created): string {
  const lines = [`Created ${folder}: template ${template}, ${files.length} files.`];
  if (replaced.length > 0) lines.push(`Replaced: ${replaced.join(', ')}`);
  return `${[...lines, '', 'Next:', ...next.map((line) => `  ${line}`)].join('\n')}\n`;
}

function report(error: unknown, source: Source, isJson: boolean): number {
  const isCancelled = error instanceof Cancelled || source.signal.aborted;
  const exitCode = isCancelled ? 130 : 1;
  const message = isCancelled ? 'Cancelled. Nothing was written.' : messageOf(error);
  const hint = error instanceof CreateError ? error.hint : undefined;
  if (isJson) {
    const code = codeOf(error, isCancelled);
    source.error.write(`${JSON.stringify({ error: { code, exitCode, message, ...(hint && { hint }) } })}\n`);
  } else {
    source.error.write(`error: ${message}\n${hint === undefined ? '' : `hint: ${hint}\n`}`);
  }
  return exitCode;
}

function codeOf(error: unknown, isCancelled: boolean): string {
  if (isCancelled) return 'cancelled';
  return error instanceof CreateError ? 'usage' : 'error';
}

/** An error that is not a `CreateError` is a bug of this program, so its stack is printed. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof CreateError ? error.message : (error.stack ?? error.message);
}

// The sources and the built program are one folder below the package.
const inPackage = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

export const templatesFolder: string = inPackage('templates');

/** Returns the version of this program. */
export function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(inPackage('package.json'), 'utf8'));
  return (manifest as { readonly version: string }).version;
}

/** Returns the version range of each package that templates use, by name. The build writes them. */
export function packageRanges(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(inPackage('dist/versions.json'), 'utf8')) as Record<string, string>;
}
