import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import process from 'node:process';
import { isObject } from '@tenon/mcp-protocol/internal';
import { secrecyOf } from '@tenon/redaction';
import { type ClientEnvironment, pathsOf, settingsFolder } from './client-environment.js';
import { readConfigFile, writeConfigFile } from './config-file.js';
import type { ConfiguredServer } from './read-servers.js';
import { commandLine, visibleText } from './shell-words.js';
import { referencesIn, type Template, templateText } from './template.js';

/** Answers that are kept, at most; the oldest are dropped. */
const maxAnswers = 500;

/**
 * True for a server from a file of a project that starts a command, or that sends variables of the user to a URL: the user has to
 * agree, because another person may have written the file.
 */
export function needsTrust({ scope, entry }: ConfiguredServer): boolean {
  if (scope !== 'project') return false;
  return entry.kind === 'command' || [entry.url, ...Object.values(entry.headers)].some(hasReferences);
}

/** Returns the lines that show what using a server does: the whole command, and the names of variables. */
export function startText({ file, folder, entry }: ConfiguredServer): string[] {
  const cut = (template: Template) => visibleText(templateText(template));
  const shown = (name: string, value: Template) =>
    secrecyOf(name) === undefined || hasReferences(value) ? cut(value) : '***';
  if (entry.kind === 'url') {
    const headers = Object.entries(entry.headers).filter(([, value]) => hasReferences(value));
    return [
      `  file     ${visibleText(file)}`,
      `  URL      ${cut(entry.url)}`,
      ...headers.map(([name, value]) => `  header   ${visibleText(name)}: ${cut(value)}`),
    ];
  }
  const { command, args, env, envFile, cwd } = entry;
  return [
    `  file     ${visibleText(file)}`,
    `  command  ${visibleText(commandLine([command, ...args].map(templateText)))}`,
    `  folder   ${cwd === undefined ? visibleText(folder) : cut(cwd)}`,
    // A variable such as NODE_OPTIONS changes the command, so values are shown, except those of secrets.
    ...Object.entries(env).map(([name, value]) => `  variable ${visibleText(name)}=${shown(name, value)}`),
    ...(envFile === undefined ? [] : [`  variables of ${cut(envFile)}`]),
  ];
}

/** The servers of project files that the user has agreed to, as digests of their entries in a file of the user. */
export class TrustedServers {
  readonly path: string;

  constructor(environment: ClientEnvironment) {
    this.path = pathsOf(environment).join(settingsFolder(environment), 'tenon', 'trusted-servers.json');
  }

  /** True if the user has agreed to this entry of this file, and it has not changed. */
  async has(server: ConfiguredServer): Promise<boolean> {
    return (await this.#read()).some(({ digest }) => digest === digestOf(server));
  }

  /** @throws WorkbenchError `usage` if the file cannot be written. */
  async add(server: ConfiguredServer): Promise<void> {
    const { file, name } = server;
    const answer = { digest: digestOf(server), file, name };
    const answers = [...(await this.#read()), answer].slice(-maxAnswers);
    await writeConfigFile(this.path, `${JSON.stringify({ format: 1, answers }, undefined, 2)}\n`, 0o600);
  }

  /** Reads the answers. A file that other users could have written has none. */
  async #read(): Promise<readonly Answer[]> {
    const text = await readConfigFile(this.path);
    if (text === undefined || !(await isPrivate(this.path))) return [];
    try {
      const content: unknown = JSON.parse(text);
      return isObject(content) && Array.isArray(content.answers) ? content.answers.filter(isAnswer) : [];
    } catch {
      return [];
    }
  }
}

interface Answer {
  readonly digest: string;
  readonly file: string;
  readonly name: string;
}

function isAnswer(value: unknown): value is Answer {
  return isObject(value) && typeof value.digest === 'string';
}

async function isPrivate(path: string): Promise<boolean> {
  const user = process.geteuid?.();
  if (user === undefined) return true;
  const { uid, mode } = await stat(path);
  return uid === user && (mode & 0o022) === 0;
}

function digestOf({ file, name, folder, entry }: ConfiguredServer): string {
  return createHash('sha256')
    .update(JSON.stringify([file, name, folder, entry]))
    .digest('hex');
}

function hasReferences(template: Template): boolean {
  return referencesIn(template).length > 0;
}
