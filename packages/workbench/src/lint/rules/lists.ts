import { findRevision, latestStateless } from '@tenon/mcp-protocol';
import { type LintPlace, type LintRule, quoted, rulesOf, serverPlace } from './rule.js';
import type { LintSubject, ListMethod, ListReadings } from './subject.js';

interface ReadList {
  readonly method: ListMethod;
  readonly place: LintPlace;
  readonly readings: ListReadings;
}

function* listsOf({ lists = {} }: LintSubject): Generator<ReadList> {
  for (const [method, readings] of Object.entries(lists) as [ListMethod, ListReadings][])
    yield { method, place: { kind: 'list', name: method }, readings };
}

const listRule = rulesOf(listsOf);

const failed = listRule({
  id: 'list-failed',
  severity: 'error',
  about: 'Lists of declared capabilities can be read.',
  problem({ readings }) {
    const failure = readings.first.failure ?? readings.second.failure;
    if (failure === undefined) return undefined;
    return `The capability is declared, but reading the list failed: ${failure} Implement the list, or do not declare the capability.`;
  },
});

const deviation: LintRule = {
  id: 'protocol-deviation',
  severity: 'error',
  about: 'Answers do not break the protocol, even where lenient clients can read them.',
  *check({ deviations = [] }) {
    for (const { method, message } of deviations)
      yield {
        place: method.endsWith('/list') ? { kind: 'list', name: method } : serverPlace,
        pointer: '',
        message: `${message} Correct the answer: strict clients reject it.`,
      };
  },
};

const empty = listRule({
  id: 'capability-empty',
  severity: 'warning',
  about: 'Capabilities are declared for lists that have entries.',
  problem({ method, readings }, _, { lists = {} }) {
    const { entries, failure } = readings.first;
    // One capability stands for both lists of resources.
    if (entries.length > 0 || failure !== undefined || method === 'resources/templates/list')
      return undefined;
    const templates = lists['resources/templates/list']?.first.entries.length ?? 0;
    if (method === 'resources/list' && templates > 0) return undefined;
    return 'The capability is declared, but the list is empty. Do not declare it, unless entries come later with a list_changed notification.';
  },
});

const pages = listRule({
  id: 'list-pages',
  severity: 'error',
  about: 'Pages end, have entries, and do not repeat cursors.',
  pointer: '/nextCursor',
  problem({ readings: { first } }) {
    if (first.repeatsCursor)
      return 'A cursor came twice, so clients read the list without end. Return a new cursor for each page, and none on the last.';
    return first.hasEmptyPage
      ? 'A page is empty but has a next page. Leave "nextCursor" out on the last page.'
      : undefined;
  },
});

const order = listRule({
  id: 'list-order',
  severity: 'warning',
  about: 'Two readings of a list have the same order, so that prompt caches of models work.',
  problem({ readings }) {
    const [first, second] = [keysOf(readings.first.entries), keysOf(readings.second.entries)];
    if (readings.second.failure !== undefined || sameTexts(first, second)) return undefined;
    if (!sameTexts([...first].sort(), [...second].sort())) return undefined;
    return 'Two readings had the entries in a different order, so prompt caches of models miss. Sort the list.';
  },
});

const changes = listRule({
  id: 'list-changes',
  severity: 'warning',
  about: 'Two readings of a list are equal.',
  problem({ readings }) {
    if (readings.first.failure !== undefined || readings.second.failure !== undefined) return undefined;
    const [first, second] = [textsOf(readings.first.entries), textsOf(readings.second.entries)];
    const key =
      [...second].find(([name, text]) => first.get(name) !== text)?.[0] ??
      [...first.keys()].find((name) => !second.has(name));
    if (key === undefined) return undefined;
    return `Two readings differ, first at ${quoted(key)}. Keep times and counters out of definitions, and send a list_changed notification after a change.`;
  },
});

const ttl = listRule({
  id: 'cache-hints-missing',
  severity: 'info',
  about: `From ${latestStateless.id} on lists have cache hints: \`ttlMs\` above 0.`,
  pointer: '/ttlMs',
  problem({ readings }, _, { catalog }) {
    const { ttlMs = 0, failure } = readings.first;
    const hasHints = findRevision(catalog.revision)?.lifecycle === 'stateless';
    if (!hasHints || failure !== undefined || ttlMs > 0) return undefined;
    return 'The list has no time for which clients may store it, so they read it again and again. Set "ttlMs".';
  },
});

const scope = listRule({
  id: 'cache-scope-public',
  severity: 'warning',
  about:
    'Lists that were read with credentials are not public to caches, because they may differ between users.',
  pointer: '/cacheScope',
  problem({ readings: { first } }, _, { hasCredentials }) {
    if (hasCredentials !== true || first.cacheScope !== 'public' || (first.ttlMs ?? 0) <= 0) return undefined;
    return 'The list was read with credentials, but caches may show it to other users. Use "private", unless it is the same for everybody.';
  },
});

type Entries = ListReadings['first']['entries'];

function keysOf(entries: Entries): readonly string[] {
  return entries.map(keyOf);
}

function keyOf(entry: Entries[number]): string {
  if ('uri' in entry) return entry.uri;
  return 'uriTemplate' in entry ? entry.uriTemplate : entry.name;
}

function textsOf(entries: Entries): ReadonlyMap<string, string> {
  return new Map(entries.map((entry) => [keyOf(entry), JSON.stringify(entry)]));
}

function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}

/** Rules about lists and their pages. */
export const listRules: readonly LintRule[] = [failed, deviation, empty, pages, order, changes, ttl, scope];
