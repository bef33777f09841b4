import { BoundedMap, isRecord } from '@tenon/foundation';
import type { JsonObject } from '@tenon/mcp-protocol';
import type { DefinitionChange } from './consent.js';
import type { GrantStore } from './grant-store.js';
import type { Subject } from './subject.js';

/** Definitions above this length are not kept: a change of such a tool is reported without its lines. */
const longestDefinition = 8_192;
/** Answers for the time of a run that are kept, at most. The user is asked again for a dropped one. */
const mostRunAnswers = 10_000;

/** The known state of one subject. */
interface Known {
  readonly digest: string;
  readonly answer?: 'always' | 'never';
  /** Absent before the first call of a tool; empty if it is too long to be kept. */
  readonly definition?: string;
}

/** The lasting answer for a subject, and its change. */
export interface Standing {
  readonly answer: 'always' | 'never' | undefined;
  readonly change: DefinitionChange | undefined;
}

/** A tool of a server, by its name, and the digest of its definition. */
export type KnownTools = readonly { readonly name: string; readonly digest: string }[];

/** The lasting answers of users, and the definitions of tools that they know, by user and server. */
export class Grants {
  readonly #store: GrantStore;
  /** The digests that a user agreed to until the host closes. */
  readonly #run = new BoundedMap<string, string>(mostRunAnswers);

  constructor(store: GrantStore) {
    this.#store = store;
  }

  /**
   * Returns the lasting answer for a subject, and how it has changed. The first request for a tool of a server makes all its present tools known.
   * @param tools - returns the present tools of the server, for a request for a tool of a server that is not trusted.
   */
  async standing(subject: Subject, tools: (() => KnownTools) | undefined): Promise<Standing> {
    const { user, server, key, digest, definition } = subject;
    const place = placeOf(user, server);
    const stored = entriesOf(await this.#store.read(place));
    const known = entryOf(stored, key);
    if (known?.answer === 'never') return { answer: 'never', change: undefined };
    const isSame = known?.digest === digest;
    const unchanged = { answer: isSame ? known.answer : undefined, change: undefined };
    if (subject.isContent && (await this.#revoke(subject, known)))
      return { answer: undefined, change: known && (await changeOf(subject, { known, stored, tools: [] })) };
    if (tools === undefined) return unchanged;
    const isFirst = entryOf(stored, listed) === undefined;
    if (isFirst || (isSame && known.definition === undefined))
      await this.#store.change(place, (value) => {
        const entries = { ...entriesOf(value) };
        if (entryOf(entries, listed) === undefined) for (const tool of tools()) addTool(entries, tool);
        const present = entryOf(entries, key);
        if (present?.digest === digest) entries[key] = { ...present, definition: keptOf(definition) };
        return { entries } as unknown as JsonObject;
      });
    if (isFirst || isSame) return unchanged;
    return { answer: undefined, change: await changeOf(subject, { known, stored, tools: tools() }) };
  }

  /** True if the user agreed to the subject until the host closes. */
  isAgreed(subject: Subject): boolean {
    return this.#run.get(runKey(subject)) === subject.digest;
  }

  /** Keeps a lasting answer. Rejects if it cannot be stored. */
  async keep(subject: Subject, answer: 'run' | 'always' | 'never'): Promise<void> {
    const { user, server, key, digest, definition } = subject;
    if (answer !== 'never' && !subject.isLasting) return;
    if (answer === 'run') this.#run.set(runKey(subject), digest);
    if (answer === 'run' && definition === undefined) return;
    await this.#store.change(placeOf(user, server), (value) => {
      const kept = definition === undefined ? {} : { definition: keptOf(definition) };
      const entry: Known = { digest, ...(answer !== 'run' && { answer }), ...kept };
      return { entries: { ...entriesOf(value), [key]: entry } } as unknown as JsonObject;
    });
  }

  /** Revokes the answers for content with another digest, before the user answers again. @returns true if there is such content. */
  async #revoke(subject: Subject, known: Known | undefined): Promise<boolean> {
    const { user, server, key, digest } = subject;
    const agreed = this.#run.get(runKey(subject));
    const isRevoked = agreed !== undefined && agreed !== digest;
    if (isRevoked) this.#run.delete(runKey(subject));
    if (known === undefined || known.digest === digest) return isRevoked;
    if (known.answer !== undefined)
      await this.#store.change(placeOf(user, server), (value) => {
        const entries = entriesOf(value);
        const { answer: _, ...present } = entryOf(entries, key) ?? known;
        return { entries: { ...entries, [key]: present } } as unknown as JsonObject;
      });
    return true;
  }

  /** Forgets all answers for a server, such as one that is removed. */
  async forget(user: string | undefined, server: string): Promise<void> {
    const prefix = runKey({ user, server, key: '' });
    for (const key of this.#run.keys()) if (key.startsWith(prefix.slice(0, -2))) this.#run.delete(key);
    await this.#store.change(placeOf(user, server), () => undefined);
  }
}

/** The entry that exists once the tools of the server were made known. */
const listed = 'listed';

function placeOf(user: string | undefined, server: string): string {
  return JSON.stringify([user ?? null, server]);
}

function runKey({ user, server, key }: Pick<Subject, 'user' | 'server' | 'key'>): string {
  return JSON.stringify([user ?? null, server, key]);
}

type Entries = Readonly<Record<string, Known>>;

function addTool(entries: Record<string, Known>, { name, digest }: KnownTools[number]): void {
  entries[listed] = { digest: '' };
  entries[`tool ${name}`] ??= { digest };
}

/** Returns a definition to keep; an empty text in place of one that is too long. */
function keptOf(definition: (() => string) | undefined): string {
  const text = definition?.() ?? '';
  return text.length <= longestDefinition ? text : '';
}

function entriesOf(value: JsonObject | undefined): Entries {
  return isRecord(value?.entries) ? (value.entries as unknown as Entries) : {};
}

function entryOf(entries: Entries, key: string): Known | undefined {
  const entry: unknown = Object.hasOwn(entries, key) ? entries[key] : undefined;
  return isRecord(entry) && typeof entry.digest === 'string' ? (entry as unknown as Known) : undefined;
}

interface Earlier {
  readonly known: Known | undefined;
  readonly stored: Entries;
  readonly tools: KnownTools;
}

async function changeOf(
  { key, digest, definition }: Subject,
  { known, stored, tools }: Earlier,
): Promise<DefinitionChange> {
  if (known !== undefined) {
    if (known.definition === undefined || known.definition === '' || definition === undefined)
      return { kind: 'changed' };
    const { differenceOf } = await import('./difference.js');
    return { kind: 'changed', difference: differenceOf(known.definition, definition()) };
  }
  const present = new Set(tools.map(({ name }) => `tool ${name}`));
  for (const [earlier, entry] of Object.entries(stored)) {
    if (earlier !== key && earlier.startsWith('tool ') && entry.digest === digest && !present.has(earlier))
      return { kind: 'renamed', from: earlier.slice('tool '.length) };
  }
  return { kind: 'new' };
}
