import { createHash } from 'node:crypto';
import type { ClientEnvironment } from '../clients/client-environment.js';
import type { FileFormat } from '../formats/config-syntax.js';
import {
  type ConfigProblem,
  type ConfiguredServer,
  contentOf,
  formatOf,
  knownSections,
  noServers,
  type SectionServers,
  sectionIn,
  serversIn,
} from '../servers/parse-servers.js';
import { textOf } from '../servers/read-servers.js';

/** Milliseconds that a file may be missing or empty before that counts: some editors delete or empty a file before they write it. */
const graceTime = 2_000;

/** A section of a file with its servers, as they were last usable. */
interface Section {
  readonly read: (value: unknown) => SectionServers;
  servers: readonly ConfiguredServer[];
}

/** A configuration file: its servers as they were last usable, and the problems of its present content. */
export class WatchedFile {
  readonly path: string;
  readonly #format: FileFormat;
  readonly #sections: Section[];
  /** True for a file that the user named: it has to exist. */
  readonly #isNamed: boolean;
  #problems: readonly ConfigProblem[] = [];
  /** The digest of the text that was parsed last. */
  #digest: string | undefined;
  #goneSince: number | undefined;
  #isRead = false;

  constructor(path: string, isNamed: boolean, format: FileFormat) {
    this.path = path;
    this.#isNamed = isNamed;
    this.#format = format;
    this.#sections = [];
  }

  add(read: Section['read']): void {
    this.#sections.push({ read, servers: [] });
  }

  get servers(): readonly ConfiguredServer[] {
    return this.#sections.flatMap(({ servers }) => servers);
  }

  get problems(): readonly ConfigProblem[] {
    return this.#problems;
  }

  /**
   * Reads the file. A file without usable content keeps its servers.
   * @param now - milliseconds of a clock.
   * @returns the milliseconds after which it has to be read again, because it may be in the middle of being written.
   */
  async read(now: number): Promise<number | undefined> {
    const { text, problem } = await textOf(this.path);
    const isFirst = !this.#isRead;
    this.#isRead = true;
    if (problem !== undefined) return this.#keep(problem);
    if (text === undefined || text.trim() === '') {
      this.#goneSince ??= now;
      const left = isFirst ? 0 : this.#goneSince + graceTime - now;
      if (left > 0) return left;
      return this.#isNamed
        ? this.#keep({ file: this.path, message: text === undefined ? 'does not exist' : noServers })
        : this.#accept({}, undefined);
    }
    this.#goneSince = undefined;
    const digest = digestOf(text);
    if (digest === this.#digest) return undefined;
    const content = await contentOf(text, this.path, this.#format);
    if (content.problem !== undefined) return this.#keep(content.problem, digest);
    return this.#accept(content.value, digest);
  }

  #keep(problem: ConfigProblem, digest?: string): undefined {
    this.#digest = digest;
    this.#problems = [problem];
  }

  #accept(value: unknown, digest: string | undefined): undefined {
    this.#digest = digest;
    this.#problems = this.#sections.flatMap((section) => {
      const { servers, problems, isUsable } = section.read(value);
      const broken = new Set(problems.map(({ server }) => server));
      const kept = section.servers.filter(({ name }) => !isUsable || broken.has(name));
      section.servers = [...servers, ...kept];
      return problems;
    });
  }
}

/** Returns the files of all known clients. */
export function knownFiles(environment: ClientEnvironment): WatchedFile[] {
  const files = new Map<string, WatchedFile>();
  for (const section of knownSections(environment)) {
    const file = files.get(section.path) ?? new WatchedFile(section.path, false, section.format);
    files.set(section.path, file);
    file.add((value) => serversIn(value, section, environment));
  }
  return [...files.values()];
}

/** Returns a file that the user named. */
export function namedFile(path: string, environment: ClientEnvironment): WatchedFile {
  const file = new WatchedFile(path, true, formatOf(path));
  file.add((value) => {
    const section = sectionIn(value, path, environment);
    if (section !== undefined) return serversIn(value, section, environment);
    return { servers: [], problems: [{ file: path, message: noServers }], isUsable: false };
  });
  return file;
}

/** Returns a short text that differs for different texts. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
