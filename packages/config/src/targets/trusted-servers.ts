import { createHash } from 'node:crypto';
import { isRecord, jsonIn, systemClock } from '@tenon/foundation';
import { type FileErrorOf, LockFile, PrivateFile } from '@tenon/foundation/node';
import { type ClientEnvironment, pathsOf, settingsFolder } from '../clients/client-environment.js';
import { ConfigError } from '../config-error.js';
import { type Reference, referencesIn, type Template } from '../entries/template.js';
import type { ConfiguredServer } from '../servers/parse-servers.js';
import type { ConfiguredTarget, ReferenceValues } from './resolve-target.js';

/** Answers that are kept, at most; the oldest are dropped. */
const maxAnswers = 500;
/** Copies of entries that are kept, at most. None is dropped: a copy that is forgotten would be trusted. */
const maxCopies = 1_000;
/** Bytes of the file, at most. */
const maxBytes = 4_194_304;

const errorOf: FileErrorOf = (message, cause) => new ConfigError(message, { cause });
/** The step for the user after the file is gone: a copy that is forgotten counts as the user's own server. */
const review = 'review the servers that you have copied from files of projects';

/** The place of a server in the file of a client. */
type ServerPlace = Pick<ConfiguredServer, 'file' | 'name'>;

/** A server with the values that it is used with. */
export interface ServerUse extends ReferenceValues {
  readonly server: ConfiguredServer;
  /** The server with all references filled in. */
  readonly target: ConfiguredTarget;
}

/**
 * The servers of project files that the user has agreed to, as digests in a file that only the user can read, and the copies of such servers in
 * files of the user. Any number of processes can use the file. Every method that reads or writes it rejects with a ConfigError if it cannot be
 * used or is damaged; the file is unchanged then.
 */
export class TrustedServers {
  readonly path: string;
  readonly #file: PrivateFile;
  readonly #lock: LockFile;

  constructor(environment: ClientEnvironment) {
    this.path = pathsOf(environment).join(settingsFolder(environment), 'tenon', 'trusted-servers.json');
    const common = { clock: systemClock, errorOf };
    this.#file = new PrivateFile(this.path, { ...common, bytes: maxBytes, afterDeletion: `and ${review}` });
    this.#lock = new LockFile(`${this.path}.lock`, { ...common, stale: 10_000, wait: 15_000 });
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

  /** Remembers that the user has agreed. */
  async add(use: ServerUse): Promise<void> {
    const { file, name } = use.server;
    await this.#change(({ answers, copies }) => ({
      answers: [...answers, { digest: digestOf(use), file, name }].slice(-maxAnswers),
      copies,
    }));
  }

  /**
   * Remembers whether the server at a place is a copy of a foreign one.
   * @throws ConfigError also if the file has too many copies.
   */
  async setCopy({ file, name }: ServerPlace, isCopy: boolean): Promise<void> {
    await this.#change(({ answers, copies }) => {
      if (isCopy === copies.some((one) => isSame(one, { file, name }))) return undefined;
      const others = copies.filter((one) => !isSame(one, { file, name }));
      if (isCopy && others.length >= maxCopies) {
        throw new ConfigError(`${this.path} has ${maxCopies} copies of servers of projects already.`, {
          hint: 'Remove servers that are not used any more: tenon uninstall CLIENT NAME',
        });
      }
      return { answers, copies: isCopy ? [...others, { file, name }] : others };
    });
  }

  async #read(): Promise<Remembered> {
    const text = await this.#file.read();
    if (text === undefined) return { answers: [], copies: [] };
    const content = jsonIn(text);
    if (isRemembered(content)) return content;
    throw new ConfigError(`${this.path} is damaged, or was written by a newer version of this program.`, {
      hint: `Move it to another place, and ${review}. You are asked again before other servers of projects start.`,
    });
  }

  /** Replaces the content of the file, unless `update` returns nothing. */
  async #change(update: (remembered: Remembered) => Remembered | undefined): Promise<void> {
    // Without a change, nothing is created.
    if (update(await this.#read()) === undefined) return;
    await this.#file.prepare();
    await this.#lock.hold(async () => {
      const changed = update(await this.#read());
      if (changed === undefined) return;
      const { answers, copies } = changed;
      const text = `${JSON.stringify({ format, answers, copies }, undefined, 2)}\n`;
      if (Buffer.byteLength(text) > maxBytes)
        throw new ConfigError(
          `${this.path} would have more than ${maxBytes} bytes: nothing was remembered.`,
          {
            hint: 'Remove servers that are not used any more: tenon uninstall CLIENT NAME',
          },
        );
      await this.#file.write(text);
    });
  }
}

const format = 1;

interface Remembered {
  readonly answers: readonly Answer[];
  readonly copies: readonly ServerPlace[];
}

interface Answer extends ServerPlace {
  readonly digest: string;
}

function isRemembered(value: unknown): value is Remembered {
  if (!isRecord(value) || value.format !== format) return false;
  const { answers, copies } = value;
  return Array.isArray(answers) && answers.every(isAnswer) && Array.isArray(copies) && copies.every(isPlace);
}

function isAnswer(value: unknown): value is Answer {
  return isPlace(value) && 'digest' in value && typeof value.digest === 'string';
}

function isPlace(value: unknown): value is ServerPlace {
  return isRecord(value) && typeof value.file === 'string' && typeof value.name === 'string';
}

function isSame(one: ServerPlace, { file, name }: ServerPlace): boolean {
  return one.file === file && one.name === name;
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
