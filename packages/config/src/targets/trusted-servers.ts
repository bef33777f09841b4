import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import process from 'node:process';
import { isRecord } from '@tenon/foundation';
import { type ClientEnvironment, pathsOf, settingsFolder } from '../clients/client-environment.js';
import { ConfigError } from '../config-error.js';
import { readConfigFile, writeConfigFile } from '../config-file.js';
import { type Reference, referencesIn, type Template } from '../entries/template.js';
import type { ConfiguredServer } from '../servers/parse-servers.js';
import type { ConfiguredTarget, ReferenceValues } from './resolve-target.js';

/** Answers that are kept, at most; the oldest are dropped. */
const maxAnswers = 500;
/** Copies of entries that are kept, at most. None is dropped: a copy that is forgotten would be trusted. */
const maxCopies = 1_000;

/** The place of a server in the file of a client. */
type ServerPlace = Pick<ConfiguredServer, 'file' | 'name'>;

/** A server with the values that it is used with. */
export interface ServerUse extends ReferenceValues {
  readonly server: ConfiguredServer;
  /** The server with all references filled in. */
  readonly target: ConfiguredTarget;
}

/**
 * The servers of project files that the user has agreed to, as digests in a file of the user, and the copies of such servers in files
 * of the user.
 */
export class TrustedServers {
  readonly path: string;

  constructor(environment: ClientEnvironment) {
    this.path = pathsOf(environment).join(settingsFolder(environment), 'tenon', 'trusted-servers.json');
  }

  /** True for a server from a file of a project, and for a copy of such a server in a file of the user. */
  async isForeign(server: ConfiguredServer): Promise<boolean> {
    if (server.scope === 'project') return true;
    return (await this.#read()).copies.some((one) => isSame(one, server));
  }

  /**
   * True if the user has to agree, because another person may have written the entry: it starts a command, or sends variables of the
   * user to a URL.
   */
  async needsConsent({ entry, ...server }: ConfiguredServer): Promise<boolean> {
    const isHarmless =
      entry.kind === 'url' && ![entry.url, ...Object.values(entry.headers)].some(hasReferences);
    return !isHarmless && (await this.isForeign({ entry, ...server }));
  }

  /** True if the user has agreed to this use of the server, and nothing has changed that decides what runs. */
  async has(use: ServerUse): Promise<boolean> {
    return (await this.#read()).answers.some(({ digest }) => digest === digestOf(use));
  }

  /** @throws ConfigError if the file cannot be written. */
  async add(use: ServerUse): Promise<void> {
    const { answers, copies } = await this.#read();
    const { file, name } = use.server;
    const added = [...answers, { digest: digestOf(use), file, name }].slice(-maxAnswers);
    await this.#write({ answers: added, copies });
  }

  /**
   * Remembers whether the server at a place is a copy of a foreign one.
   * @throws ConfigError if the file cannot be written, or has too many copies.
   */
  async setCopy({ file, name }: ServerPlace, isCopy: boolean): Promise<void> {
    const { answers, copies } = await this.#read();
    if (isCopy === copies.some((one) => isSame(one, { file, name }))) return;
    const others = copies.filter((one) => !isSame(one, { file, name }));
    if (isCopy && others.length >= maxCopies) {
      throw new ConfigError(`${this.path} has ${maxCopies} copies of servers of projects already.`, {
        hint: 'Remove servers that are not used any more: tenon uninstall CLIENT NAME',
      });
    }
    await this.#write({ answers, copies: isCopy ? [...others, { file, name }] : others });
  }

  /** Reads the file. If other users could have written it, it has no answers. */
  async #read(): Promise<Remembered> {
    const text = await readConfigFile(this.path);
    if (text === undefined) return { answers: [], copies: [] };
    try {
      const content: unknown = JSON.parse(text);
      const list = (name: 'answers' | 'copies') =>
        isRecord(content) && Array.isArray(content[name]) ? content[name] : [];
      const isOwn = await isPrivate(this.path);
      return {
        answers: isOwn ? list('answers').filter(isAnswer) : [],
        copies: list('copies').filter(isPlace),
      };
    } catch {
      return { answers: [], copies: [] };
    }
  }

  async #write(remembered: Remembered): Promise<void> {
    await writeConfigFile(
      this.path,
      `${JSON.stringify({ format: 1, ...remembered }, undefined, 2)}\n`,
      0o600,
    );
  }
}

interface Remembered {
  readonly answers: readonly Answer[];
  readonly copies: readonly ServerPlace[];
}

interface Answer extends ServerPlace {
  readonly digest: string;
}

function isAnswer(value: unknown): value is Answer {
  return isRecord(value) && typeof value.digest === 'string';
}

function isPlace(value: unknown): value is ServerPlace {
  return isRecord(value) && typeof value.file === 'string' && typeof value.name === 'string';
}

function isSame(one: ServerPlace, { file, name }: ServerPlace): boolean {
  return one.file === file && one.name === name;
}

async function isPrivate(path: string): Promise<boolean> {
  const user = process.geteuid?.();
  if (user === undefined) return true;
  const { uid, mode } = await stat(path);
  return uid === user && (mode & 0o022) === 0;
}

/**
 * Returns the digest of all that decides what runs: the entry, its references with their values, and all variables, also those of its
 * file of variables. Values of the command line do not count: the user writes them each time.
 */
function digestOf({ server, target, environment, values }: ServerUse): string {
  const { file, name, folder, entry } = server;
  const isGiven = (key: string) => Object.hasOwn(values, key);
  const isWritten = (part: Reference) => 'input' in part || ('variable' in part && isGiven(part.variable));
  const filled = (template: Template) =>
    template.map((part) => {
      const isOwn = typeof part === 'object' && 'variable' in part && !isWritten(part);
      return isOwn ? { ...part, value: environment.env[part.variable] } : part;
    });
  const parts =
    entry.kind === 'url'
      ? [entry.url, ...Object.values(entry.headers)]
      : [entry.command, ...entry.args, entry.cwd ?? [], entry.envFile ?? []];
  const given = entry.kind === 'url' ? {} : entry.env;
  const variables = Object.entries('command' in target ? target.env : {})
    .filter(([key]) => !isGiven(key) && !referencesIn(given[key] ?? []).some(isWritten))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([file, name, folder, entry, parts.map(filled), variables]))
    .digest('hex');
}

function hasReferences(template: Template): boolean {
  return referencesIn(template).length > 0;
}
