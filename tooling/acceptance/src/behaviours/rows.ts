import type { Server, ServerOptions } from '@tenon/mcp-server';
import type { HttpOptions } from '@tenon/mcp-server/http';
import { storyServers } from '../stories/servers.js';
import { authenticate, visibilityServer } from '../stories/visibility.js';
import { type Transport, transports } from './transports.js';

/** A behaviour: a story for each revision, which holds on every transport. */
export interface Row {
  readonly story: string;
  /**
   * The format of the story: `frames` are JSON-RPC messages on any transport; `http` has requests, statuses, headers and
   * events.
   */
  readonly fixtureKind: 'frames' | 'http';
  /** Creates the server of a story in frames; called for each run. */
  readonly server?: (revision: string) => Server;
  /** Options for the server of an HTTP story; a workshop unless `make` is given. */
  readonly options?: {
    readonly http?: HttpOptions;
    readonly server?: ServerOptions;
    readonly make?: (options: ServerOptions) => Server;
  };
  /** Returns the reason why a revision or transport lacks the behaviour; undefined if it has it. */
  absent(where: Where): string | undefined;
}

/** A cell of the table: a revision and a transport. */
export interface Where {
  readonly revision: string;
  readonly transport: string;
}

type Absent = Row['absent'];

const sessions = ['2025-03-26', '2025-06-18', '2025-11-25'];
const stateless = ['2026-07-28'];

/** Restricts a behaviour to some revisions, with the reason for the others. */
function only(revisions: readonly string[], because: string): Absent {
  return ({ revision }) => (revisions.includes(revision) ? undefined : because);
}

const everywhere: Absent = () => undefined;
const noSessions = only(sessions, 'it is about the sessions of Streamable HTTP');
const noResuming = only(sessions, 'streams cannot be taken up again');
const noListening = only(stateless, 'it is about requests that stand for themselves');
const withoutSse = only([...sessions, ...stateless], 'it is about Streamable HTTP');

/** Reasons that stories in frames skip a transport. */
const exceptions: ReadonlyMap<string, Absent> = new Map<string, Absent>([
  [
    'elicitation',
    ({ revision }) => (revision < '2025-06-18' ? 'elicitation came with 2025-06-18' : undefined),
  ],
  [
    'keep-alive',
    ({ revision, transport }) => {
      if (revision === '2026-07-28') return 'pings are gone';
      return transport === 'http' || transport === 'fetch'
        ? 'a session over many connections may be silent: the HTTP story of the same name tells of its streams'
        : undefined;
    },
  ],
  [
    'pages',
    ({ revision }) =>
      revision < '2025-11-25' ? 'pages to send the user to came with 2025-11-25' : undefined,
  ],
  [
    'cancellation',
    ({ revision, transport }) =>
      revision === '2026-07-28' && transport !== 'memory' && transport !== 'stdio'
        ? 'each request has a connection, whose end cancels it: the HTTP story of the same name tells of it'
        : undefined,
  ],
]);

const httpRows: readonly (readonly [story: string, absent: Absent, options?: Row['options']])[] = [
  ['session', only(['2024-11-05', ...sessions], 'there are no sessions')],
  ['discovery', noListening],
  ['calls', everywhere],
  ['input-requests', everywhere],
  ['changes', noSessions],
  ['listening', noListening],
  ['resuming', noResuming],
  ['polling', noResuming],
  ['cancellation', everywhere],
  ['version-header', withoutSse],
  ['standard-headers', noListening],
  ['statuses', noListening],
  ['batches', withoutSse],
  ['refusals', everywhere],
  ['keep-alive', everywhere],
  ['expiry', noSessions],
  ['draining', everywhere],
  [
    'rates',
    everywhere,
    { server: { rates: { calls: { perSecond: 0.25, burst: 1 }, by: () => 'everybody' } } },
  ],
  ['visibility', everywhere, { http: { authenticate }, make: visibilityServer }],
  ['json-only', noSessions, { http: { sessions: { jsonOnly: true } } }],
  ['sessionless', noSessions, { http: { sessions: false } }],
  ['stateless-only', noListening, { server: { revisions: stateless } }],
];

/** Returns the reason why an HTTP story skips a transport: each transport has HTTP requests of its own. */
function noHttp({ revision, transport }: Where): string | undefined {
  if (transport === 'memory' || transport === 'stdio') return 'there are no HTTP requests';
  if (transport === 'sse' && revision !== '2024-11-05')
    return 'its requests are told of in the revision it is of';
  return undefined;
}

/** All behaviours. */
export const rows: readonly Row[] = [
  ...[...storyServers].map(
    ([story, server]): Row => ({
      story,
      fixtureKind: 'frames',
      server,
      absent: (where) => transportOf(where).absent(where.revision) ?? exceptions.get(story)?.(where),
    }),
  ),
  ...httpRows.map(
    ([story, absent, options]): Row => ({
      story,
      fixtureKind: 'http',
      ...(options !== undefined && { options }),
      absent: (where) => noHttp(where) ?? transportOf(where).absent(where.revision) ?? absent(where),
    }),
  ),
];

function transportOf({ transport }: Where): Transport {
  const found = transports.get(transport);
  if (found === undefined) throw new RangeError(`unknown transport ${transport}`);
  return found;
}
