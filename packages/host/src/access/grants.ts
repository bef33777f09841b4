import { BoundedMap, isRecord } from '@tenon/foundation';
import type { JsonObject } from '@tenon/mcp-protocol';
import type { ToolAccess } from './access-request.js';
import type { DefinitionChange } from './consent.js';
import type { GrantStore } from './grant-store.js';
import type { Subject } from './subject.js';

/** Definitions above this length are not kept: a change of such a tool is reported without its lines. */
const longestDefinition = 8_192;
/** Characters of the tools of one server that are known from its first call on, at most. Further tools are new to the user. */
const longestTools = 262_144;
/** Characters of the document of one server above which no more definitions are kept: one server must not fill the store. */
const longestDocument = 524_288;
/** Answers for the time of a run that are kept, at most. The user is asked again for a dropped one. */
const mostRunAnswers = 10_000;
/** Servers with a place that is remembered. */
const mostPlaces = 100;

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
  /** The place of the last request for each server. */
  readonly #places = new BoundedMap<string, LastPlace>(mostPlaces);

  constructor(store: GrantStore) {
    this.#store = store;
  }

  /**
   * Returns the lasting answer for a subject, and how it has changed. The first request for a tool of a server makes all its present tools known.
   * @param tools - returns the present tools of the server, for a request for a tool of a server that is not trusted.
   */
  standing(subject: Subject, tools: (() => KnownTools) | undefined): Standing | Promise<Standing> {
    const place = this.#placeOf(subject);
    const read = this.#store.read(place.text);
    if (read !== undefined && !('entries' in read))
      return Promise.resolve(read).then((document: JsonObject | undefined) =>
        this.#standingIn(document, subject, tools),
      );
    const standing = this.#standingIn(read, subject, tools);
    if (tools === undefined || standing instanceof Promise || standing.answer === 'never') return standing;
    if (place.document !== read) place.unchanged.clear();
    place.document = read;
    place.unchanged.set(subject.key.slice('tool '.length), subject.digest);
    return standing;
  }

  /** True for a pinned tool that is not refused and has not changed, if the store can tell at once: each call asks. */
  isUnchanged({ server, name, digest, origin }: ToolAccess, identity: string): boolean {
    const place = this.#places.get(server);
    if (place === undefined || place.user !== origin.user || place.identity !== identity) return false;
    if (place.document === undefined || place.unchanged.get(name) !== digest) return false;
    return this.#store.read(place.text) === place.document;
  }

  #placeOf({ user, server, identity }: Place): LastPlace {
    const known = this.#places.get(server);
    if (known?.user === user && known?.identity === identity) return known;
    const text = placeOf({ user, server, identity });
    const place = { user, identity, text, document: undefined, unchanged: new Map<string, string>() };
    this.#places.set(server, place);
    return place;
  }

  #standingIn(
    document: JsonObject | undefined,
    subject: Subject,
    tools: (() => KnownTools) | undefined,
  ): Standing | Promise<Standing> {
    const stored = entriesOf(document);
    const known = entryOf(stored, subject.key);
    if (known?.answer === 'never') return { answer: 'never', change: undefined };
    if (subject.isContent) return this.#standingOfContent(subject, known, stored);
    const isSame = known?.digest === subject.digest;
    if (tools === undefined || (isSame && known.definition !== undefined))
      return { answer: isSame ? known.answer : undefined, change: undefined };
    return this.#standingOfTool(subject, { known, stored }, tools);
  }

  async #standingOfContent(subject: Subject, known: Known | undefined, stored: Entries): Promise<Standing> {
    if (await this.#revoke(subject, known))
      return { answer: undefined, change: known && (await changeOf(subject, { known, stored, tools: [] })) };
    return { answer: known?.digest === subject.digest ? known.answer : undefined, change: undefined };
  }

  /** Makes the tools of a server known, or the definition of a tool before its first call. */
  async #standingOfTool(
    subject: Subject,
    { known, stored }: Pick<Earlier, 'known' | 'stored'>,
    tools: () => KnownTools,
  ): Promise<Standing> {
    const { key, digest, definition } = subject;
    // Another host may have made the tools known since.
    let found = { stored, known, isFirst: false };
    const store = (value: JsonObject | undefined): JsonObject | undefined => {
      const entries = { ...entriesOf(value) };
      const isFirst = entryOf(entries, listed) === undefined;
      if (isFirst) addTools(entries, tools());
      const present = entryOf(entries, key);
      found = { stored: entries, known: present, isFirst };
      if (present?.digest !== digest) return isFirst ? asObject(entries) : value;
      entries[key] = { ...present, definition: keptOf(definition, entries) };
      return asObject(entries);
    };
    await this.#store.change(placeOf(subject), store);
    if (found.known?.answer === 'never') return { answer: 'never', change: undefined };
    if (found.known?.digest === digest) return { answer: found.known.answer, change: undefined };
    return { answer: undefined, change: await changeOf(subject, { ...found, tools: tools() }) };
  }

  /** True if the user agreed to the subject until the host closes. */
  isAgreed(subject: Subject): boolean {
    return this.#run.get(runKey(subject)) === subject.digest;
  }

  /** Keeps a lasting answer. Rejects if it cannot be stored. */
  async keep(subject: Subject, answer: 'run' | 'always' | 'never'): Promise<void> {
    const { key, digest, definition } = subject;
    if (answer !== 'never' && !subject.isLasting) return;
    if (answer === 'run') this.#run.set(runKey(subject), digest);
    if (answer === 'run' && definition === undefined) return;
    await this.#store.change(placeOf(subject), (value) => {
      const entries = entriesOf(value);
      // A refusal that another host has stored meanwhile stays.
      if (answer !== 'never' && entryOf(entries, key)?.answer === 'never') return value;
      const kept = definition === undefined ? {} : { definition: keptOf(definition, entries) };
      const entry: Known = { digest, ...(answer !== 'run' && { answer }), ...kept };
      return asObject({ ...entries, [key]: entry });
    });
  }

  /** Returns the answer that holds for a tool as it is now; undefined if there is none. */
  async answerFor(
    place: Place,
    { digest, tool }: { readonly digest: string; readonly tool: { readonly name: string } },
  ): Promise<'run' | 'always' | 'never' | undefined> {
    const key = `tool ${tool.name}`;
    const known = entryOf(entriesOf(await this.#store.read(placeOf(place))), key);
    if (known?.answer === 'never' || known?.digest === digest) {
      if (known.answer !== undefined) return known.answer;
    }
    return this.#run.get(runKey({ ...place, key })) === digest ? 'run' : undefined;
  }

  /** Forgets all answers for a server. */
  async forget(place: Place): Promise<void> {
    const prefix = JSON.stringify([place.user ?? null, place.server, place.identity]).slice(0, -1);
    for (const key of [...this.#run.keys()]) if (key.startsWith(`${prefix},`)) this.#run.delete(key);
    await this.#store.change(placeOf(place), () => undefined);
  }

  /** Revokes the answers for content with another digest, before the user answers again. @returns true if there is such content. */
  async #revoke(subject: Subject, known: Known | undefined): Promise<boolean> {
    const { key, digest } = subject;
    const agreed = this.#run.get(runKey(subject));
    const isRevoked = agreed !== undefined && agreed !== digest;
    if (isRevoked) this.#run.delete(runKey(subject));
    if (known === undefined || known.digest === digest) return isRevoked;
    if (known.answer !== undefined)
      await this.#store.change(placeOf(subject), (value) => {
        const entries = entriesOf(value);
        const { answer: _, ...present } = entryOf(entries, key) ?? known;
        return asObject({ ...entries, [key]: present });
      });
    return true;
  }
}

/** The entry that exists once the tools of the server were made known. */
const listed = 'listed';

/** The name of a server is not enough: a configuration file can give it to another one. */
function placeOf({ user, server, identity }: Place): string {
  return JSON.stringify([user ?? null, server, identity]);
}

function runKey({ user, server, identity, key }: Place & Pick<Subject, 'key'>): string {
  return JSON.stringify([user ?? null, server, identity, key]);
}

type Place = Pick<Subject, 'user' | 'server' | 'identity'>;

/** A place, and what its document says about tools, for as long as the store returns this document. */
interface LastPlace extends Omit<Place, 'server'> {
  readonly text: string;
  /** Undefined if the store does not return documents at once. */
  document: JsonObject | undefined;
  /** The digests of pinned tools that have not changed, by name. */
  readonly unchanged: Map<string, string>;
}

type Entries = Readonly<Record<string, Known>>;

function asObject(entries: Entries): JsonObject {
  return { entries } as unknown as JsonObject;
}

function addTools(entries: Record<string, Known>, tools: KnownTools): void {
  entries[listed] = { digest: '' };
  let left = longestTools;
  for (const { name, digest } of tools) {
    left -= name.length + digest.length;
    if (left < 0) return;
    entries[`tool ${name}`] ??= { digest };
  }
}

/** Returns a definition to keep; an empty text in place of one that is too long for its document. */
function keptOf(definition: (() => string) | undefined, entries: Entries): string {
  const text = definition?.() ?? '';
  if (text.length > longestDefinition) return '';
  return JSON.stringify(entries).length + text.length <= longestDocument ? text : '';
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
