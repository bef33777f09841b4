import { type Column, revisionIds } from './columns.js';

/**
 * The expected value of a cell: one for all revisions, or one for each, oldest first. A value that begins with a dash means
 * that the revision lacks the capability, and says how that shows.
 */
type ByRevision = string | readonly string[];

/** The expected value of a cell, with other values for a transport if needed. */
export type Expected = ByRevision | { readonly stdio: ByRevision; readonly others: ByRevision };

export type Expectations = Readonly<Record<string, Readonly<Record<string, Expected>>>>;

/** Returns the expected value in a column; undefined if there is none for its revision. */
export function expectedIn(value: Expected, { revision, transport }: Column): string | undefined {
  if (typeof value === 'string') return value;
  if ('stdio' in value) {
    return expectedIn(transport === 'stdio' ? value.stdio : value.others, { revision, transport });
  }
  return value[revisionIds.indexOf(revision)];
}

const unasked = '– cannot ask';
const inline = '– inline';

/** The expected table of the notes server, by group and row. */
export const expectations = {
  connection: {
    negotiation: ['24-11-05', '25-03-26', '25-06-18', '25-11-25', '26-07-28'],
    'first request': ['init', 'init', 'init', 'init', 'discover'],
    'server name': 'notes',
    'server title': ['– none', '– none', 'Notes', 'Notes', 'Notes'],
    instructions: '10 words',
    capabilities: ['5 kinds', '6 kinds', '6 kinds', '7 kinds', '6 kinds'],
    ping: ['pong', 'pong', 'pong', 'pong', '– not-in-revision'],
  },
  tools: {
    'tools/list': '8 listed',
    titles: ['– none', '– none', '8 of 8', '8 of 8', '8 of 8'],
    annotations: ['– none', '8 of 8', '8 of 8', '8 of 8', '8 of 8'],
    'output schemas': ['– none', '– none', '1 of 8', '1 of 8', '1 of 8'],
    icons: ['– none', '– none', '– none', '1 of 8', '1 of 8'],
    'tools/call': 'created',
    'resource link': ['– as text', '– as text', 'ideas', 'ideas', 'ideas'],
    'structured output': ['– as text', '– as text', '2 found', '2 found', '2 found'],
    'output as text': '2 found',
    'bad input': ['-32602', '-32602', '-32602', 'isError', 'isError'],
    'tool error': 'isError',
    'unknown tool': '-32602',
    'server middleware': 'timed',
  },
  resources: {
    'resources/list': '12 found',
    pagination: '3 pages',
    templates: '1 listed',
    'resources/read': '5 lines',
    'not found': ['-32002', '-32002', '-32002', '-32002', '-32602'],
    'path traversal': ['-32002', '-32002', '-32002', '-32002', '-32602'],
    'resource updated': 'plans',
    'list changed': '13 found',
  },
  skills: {
    'skills/list': '2 listed',
    'skill loaded': '2 files',
    'wrong digest': 'refused',
  },
  prompts: {
    'prompts/list': '2 listed',
    'prompts/get': '2 parts',
    'unknown prompt': '-32602',
    completion: '3 names',
    'completion context': ['– ignored', '– ignored', '2 names', '2 names', '2 names'],
  },
  hosts: {
    'names for models': 'prefixed',
    'call of a model': '1 asked',
    'tool that changed': 'changed',
    'audit log': 'recorded',
  },
  apps: {
    'in a host with apps': 'as ui',
    'in other hosts': 'as text',
  },
  'input requests': {
    'elicit, accept': [unasked, unasked, 'replaced', 'replaced', 'replaced'],
    'elicit, decline': [unasked, unasked, 'kept', 'kept', 'kept'],
    'elicit by URL': [unasked, unasked, unasked, 'visited', 'visited'],
    sampling: '11 words',
    roots: '3 notes',
    'outside of roots': 'isError',
    'client middleware': ['1↑ 0↓', '1↑ 0↓', '1↑ 1↓', '1↑ 1↓', '1↑ 1↓'],
  },
  tasks: {
    'task finished': [inline, inline, inline, 'finished', 'finished'],
    'task cancelled': [inline, inline, inline, 'stopped', 'stopped'],
    'task answered': [unasked, unasked, inline, 'answered', 'answered'],
    'task resumed': {
      stdio: [inline, inline, inline, '– server ends', '– server ends'],
      others: [inline, inline, inline, 'resumed', 'resumed'],
    },
  },
  activity: {
    progress: '3 of 3',
    'progress message': ['– none', 'oak', 'oak', 'oak', 'oak'],
    'log level': '1 then 2',
    cancellation: 'stopped',
    batch: ['– 2 frames', '1 frame', '– 2 frames', '– 2 frames', '– 2 frames'],
    close: 'closed',
    'reported errors': 'none',
  },
} as const satisfies Expectations;

/** The expected table of the same server when it requires a token. */
export const authorizationExpectations = {
  authorization: {
    'no token': '401',
    'metadata document': 'right',
    'sign-in': 'as ada',
    'scopes at first': 'read',
    'call within them': '2 found',
    'call beyond them': '403, then created',
    'scopes afterwards': 'read, write',
    'scope not granted': 'denied',
    'signs in again': 'no',
    'user denies': 'denied',
    'wrong audience': '401',
    'reported errors': 'none',
  },
} as const satisfies Expectations;

type Groups = typeof expectations;

/** The name of a row. */
export type RowName = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups];
