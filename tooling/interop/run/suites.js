import * as fixtureInputRequests from '../suites/fixture-input-requests.js';
import * as fixtureLists from '../suites/fixture-lists.js';
import * as fixtureTools from '../suites/fixture-tools.js';
import { calls as reference } from '../suites/reference.js';
import { calls as sessions, twoClients } from '../suites/sessions.js';
import { calls as userSignIn } from '../suites/sign-in.js';
import { calls as programSignIn } from '../suites/sign-in-programs.js';
import { calls as skills } from '../suites/skills.js';
import { calls as streams } from '../suites/streams.js';
import { calls as tasks } from '../suites/tasks.js';
import { calls as tenonInputRequests } from '../suites/tenon-input-requests.js';
import { calls as tenonLists } from '../suites/tenon-lists.js';
import { calls as tenonTools } from '../suites/tenon-tools.js';
import { isGuarded } from './columns.js';

/**
 * The last call: errors that the client reported besides failed calls, such as unexpected messages.
 *
 * @type {import('./cells.js').Call}
 */
const noComplaints = {
  name: 'no complaints',
  // The official clients report progress that arrives in one chunk with the answer, each need to sign in, and failures of our sign-in.
  run: ({ application, column }) =>
    application.complaints
      .take()
      .filter(
        (text) =>
          column.client === 'tenon' ||
          !/^(Received a progress notification|Unauthorized$|The (authorization )?server (did not grant|refused the token))/.test(
            text,
          ),
      ),
  expected: [],
};

const fixtures = [fixtureTools, fixtureLists, fixtureInputRequests];
const basic = fixtures.flatMap(({ calls }) => calls);
const fixture = fixtures.flatMap(({ calls, officialCalls }) => [...calls, ...officialCalls]);
const signIn = [...userSignIn, ...programSignIn];

const suites = {
  'server-everything': reference,
  'fixture-v1': fixture,
  'fixture-v1-json': fixture,
  'fixture-v2': [...fixture, ...skills],
  'fixture-v2-sessionless': [...fixture, ...skills],
  'fixture-tmcp': basic,
  'fixture-mcp-lite': basic,
  'fixture-fastmcp': basic,
  'tenon-everything': [...tenonTools, ...tenonLists, ...tenonInputRequests, ...skills, ...tasks],
  'guarded-v1': signIn,
  'guarded-v1-older': signIn,
  'guarded-v2': signIn,
  'guarded-tenon': signIn,
};

/**
 * Features missing in serving modes without a stream per call, or without streams.
 *
 * @type {Partial<Record<import('./columns.js').ServerName, { reason: string, calls: RegExp, until: string }>>}
 */
const leftOut = {
  'fixture-v1-json': {
    reason: 'nothing precedes an answer that is one body of JSON',
    calls: /^(progress|broken call: resumed|stream closed by the server: polled)$/,
    until: '2025-11-25',
  },
  'fixture-v2-sessionless': {
    reason: 'the official 2.x server keeps nothing between requests here, and sends nothing outside of them',
    calls:
      /^(logging|subscription|tools\/list_changed|elicitation|sampling|roots|two clients|session|broken call|broken stream|stream)/,
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
  // The other frameworks neither resume streams nor notify of changes in a way that the tests could tell apart.
  if (transport === 'http' && suites[server] !== basic) calls.push(...streams);
  return [...calls, noComplaints];
}
