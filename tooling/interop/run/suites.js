import { calls as fixtureAsks } from '../suites/fixture-asks.js';
import { calls as fixtureLists } from '../suites/fixture-lists.js';
import { calls as fixtureTools } from '../suites/fixture-tools.js';
import { calls as kitAsks } from '../suites/kit-asks.js';
import { calls as kitLists } from '../suites/kit-lists.js';
import { calls as kitTools } from '../suites/kit-tools.js';
import { calls as reference } from '../suites/reference.js';
import { calls as sessions, twoClients } from '../suites/sessions.js';
import { calls as userSignIn } from '../suites/sign-in.js';
import { calls as programSignIn } from '../suites/sign-in-programs.js';
import { calls as streams } from '../suites/streams.js';
import { calls as tenonAsks } from '../suites/tenon-asks.js';
import { calls as tenonLists } from '../suites/tenon-lists.js';
import { calls as tenonTools } from '../suites/tenon-tools.js';
import { isGuarded } from './columns.js';

/**
 * Last of all: what the client reported besides the outcome of calls, such as messages it could not place.
 *
 * @type {import('./cells.js').Call}
 */
const noComplaints = {
  name: 'no complaints',
  // The official clients place no progress that comes in one chunk with the answer, and tell of each need to sign in.
  run: ({ application, column }) =>
    application.complaints
      .take()
      .filter(
        (text) =>
          column.client === 'tenon' || !/^(Received a progress notification|Unauthorized$)/.test(text),
      ),
  expected: [],
};

const fixture = [...fixtureTools, ...fixtureLists, ...fixtureAsks];
const kit = [...kitTools, ...kitLists, ...kitAsks];
const signIn = [...userSignIn, ...programSignIn];

const suites = {
  'server-everything': reference,
  'fixture-v1': fixture,
  'fixture-v1-json': fixture,
  'fixture-v2': fixture,
  'fixture-v2-sessionless': fixture,
  'fixture-tmcp': kit,
  'fixture-mcp-lite': kit,
  'fixture-fastmcp': kit,
  'tenon-everything': [...tenonTools, ...tenonLists, ...tenonAsks],
  'guarded-v1': signIn,
  'guarded-v1-older': signIn,
  'guarded-v2': signIn,
  'guarded-tenon': signIn,
};

/**
 * What the ways of serving leave out that have no stream for a call, or none at all.
 *
 * @type {Partial<Record<import('./columns.js').ServerName, { reason: string, calls: RegExp, until: string }>>}
 */
const leftOut = {
  'fixture-v1-json': {
    reason: 'nothing precedes an answer that is one body of JSON',
    calls: /^(progress|call cut off: resumed|stream closed by the server: polled)$/,
    until: '2025-11-25',
  },
  'fixture-v2-sessionless': {
    reason: 'the official 2.x server keeps nothing between requests here, and sends nothing outside of them',
    calls:
      /^(logging|subscription|tools\/list_changed|elicitation|sampling|roots|two clients|session|call cut|stream)/,
    until: '2025-11-25',
  },
};

/**
 * @param {import('./columns.js').Column} column
 * @returns {readonly import('./cells.js').Call[]}
 */
export function callsOf(column) {
  const { server } = column;
  const left = leftOut[server];
  if (left === undefined || column.speaks > left.until) return callsTo(column);
  const without = { unless: () => left.reason };
  return callsTo(column).map((call) => (left.calls.test(call.name) ? { ...call, ...without } : call));
}

/**
 * @param {import('./columns.js').Column} column
 * @returns {readonly import('./cells.js').Call[]}
 */
function callsTo({ server, transport }) {
  const calls = [...suites[server]];
  if (isGuarded({ server })) return [...calls, noComplaints];
  if (transport !== 'stdio') calls.push(twoClients);
  if (transport === 'http') calls.push(...sessions);
  // The others neither resume streams nor listen for changes in a way that could be told apart.
  if (transport === 'http' && suites[server] !== kit) calls.push(...streams);
  return [...calls, noComplaints];
}
