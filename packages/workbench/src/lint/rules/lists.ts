import { findRevision, latestStateless } from '@tenon/mcp-protocol';
import { type LintPlace, type LintRule, quoted, serverPlace } from './rule.js';
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

const failed: LintRule = {
  id: 'list-failed',
  severity: 'error',
  about: 'Lists of declared capabilities can be read.',
  *check(subject) {
    for (const { place, readings } of listsOf(subject)) {
      const failure = readings.first.failure ?? readings.second.failure;
      if (failure === undefined) continue;
      yield {
        place,
        pointer: '',
        message: `The capability is declared, but reading the list failed: ${failure} Implement the list, or do not declare the capability.`,
      };
    }
  },
};

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

const empty: LintRule = {
  id: 'capability-empty',
  severity: 'warning',
  about: 'Capabilities are declared for lists that have entries.',
  *check(subject) {
    const { lists = {} } = subject;
    for (const { method, place, readings } of listsOf(subject)) {
      const { entries, failure } = readings.first;
      if (entries.length > 0 || failure !== undefined) continue;
      // One capability stands for both lists of resources.
      if (method === 'resources/templates/list') continue;
      const templates = lists['resources/templates/list']?.first.entries.length ?? 0;
      if (method === 'resources/list' && templates > 0) continue;
      yield {
        place,
        pointer: '',
        message:
          'The capability is declared, but the list is empty. Do not declare it, unless entries come later with a list_changed notification.',
      };
    }
  },
};

const pages: LintRule = {
  id: 'list-pages',
  severity: 'error',
  about: 'Pages end, have entries, and do not repeat cursors.',
  *check(subject) {
    for (const { place, readings } of listsOf(subject)) {
      if (readings.first.repeatsCursor)
        yield {
          place,
          pointer: '/nextCursor',
          message:
            'A cursor came twice, so clients read the list without end. Return a new cursor for each page, and none on the last.',
        };
      else if (readings.first.hasEmptyPage)
        yield {
          place,
          pointer: '/nextCursor',
          message: 'A page is empty but has a next page. Leave "nextCursor" out on the last page.',
        };
    }
  },
};

const order: LintRule = {
  id: 'list-order',
  severity: 'warning',
  about: 'Two readings of a list have the same order, so that prompt caches of models work.',
  *check(subject) {
    for (const { place, readings } of listsOf(subject)) {
      const [first, second] = [keysOf(readings.first.entries), keysOf(readings.second.entries)];
      if (readings.second.failure !== undefined || sameTexts(first, second)) continue;
      if (!sameTexts([...first].sort(), [...second].sort())) continue;
      yield {
        place,
        pointer: '',
        message:
          'Two readings had the entries in a different order, so prompt caches of models miss. Sort the list.',
      };
    }
  },
};

const changes: LintRule = {
  id: 'list-changes',
  severity: 'warning',
  about: 'Two readings of a list are equal.',
  *check(subject) {
    for (const { place, readings } of listsOf(subject)) {
      if (readings.first.failure !== undefined || readings.second.failure !== undefined) continue;
      const [first, second] = [textsOf(readings.first.entries), textsOf(readings.second.entries)];
      const key =
        [...second].find(([name, text]) => first.get(name) !== text)?.[0] ??
        [...first.keys()].find((name) => !second.has(name));
      if (key === undefined) continue;
      yield {
        place,
        pointer: '',
        message: `Two readings differ, first at ${quoted(key)}. Keep times and counters out of definitions, and send a list_changed notification after a change.`,
      };
    }
  },
};

const ttl: LintRule = {
  id: 'cache-hints-missing',
  severity: 'info',
  about: `From ${latestStateless.id} on lists have cache hints: \`ttlMs\` above 0.`,
  *check(subject) {
    if (findRevision(subject.catalog.revision)?.lifecycle !== 'stateless') return;
    for (const { place, readings } of listsOf(subject)) {
      const { ttlMs, failure } = readings.first;
      if (failure !== undefined || (ttlMs !== undefined && ttlMs > 0)) continue;
      yield {
        place,
        pointer: '/ttlMs',
        message:
          'The list has no time for which clients may store it, so they read it again and again. Set "ttlMs".',
      };
    }
  },
};

const scope: LintRule = {
  id: 'cache-scope-public',
  severity: 'warning',
  about:
    'Lists that were read with credentials are not public to caches, because they may differ between users.',
  *check(subject) {
    if (subject.hasCredentials !== true) return;
    for (const { place, readings } of listsOf(subject)) {
      if (readings.first.cacheScope !== 'public' || (readings.first.ttlMs ?? 0) <= 0) continue;
      yield {
        place,
        pointer: '/cacheScope',
        message:
          'The list was read with credentials, but caches may show it to other users. Use "private", unless it is the same for everybody.',
      };
    }
  },
};

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
