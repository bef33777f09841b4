import { calls as fixtureAsks } from '../suites/fixture-asks.js';
import { calls as fixtureLists } from '../suites/fixture-lists.js';
import { calls as fixtureTools } from '../suites/fixture-tools.js';
import { calls as reference } from '../suites/reference.js';
import { calls as tenonAsks } from '../suites/tenon-asks.js';
import { calls as tenonLists } from '../suites/tenon-lists.js';
import { calls as tenonTools } from '../suites/tenon-tools.js';

/**
 * Last of all: what the client reported besides the outcome of calls, such as messages it could not place.
 *
 * @type {import('./cells.js').Call}
 */
const noComplaints = {
  name: 'no complaints',
  // The official clients place no progress that comes in one chunk with the answer.
  run: ({ application, column }) =>
    application.complaints
      .take()
      .filter((text) => column.client === 'tenon' || !text.startsWith('Received a progress notification')),
  expected: [],
};

const fixture = [...fixtureTools, ...fixtureLists, ...fixtureAsks, noComplaints];

const suites = {
  'server-everything': [...reference, noComplaints],
  'fixture-v1': fixture,
  'fixture-v2': fixture,
  'tenon-everything': [...tenonTools, ...tenonLists, ...tenonAsks, noComplaints],
};

/**
 * @param {import('./columns.js').ServerName} server
 * @returns {readonly import('./cells.js').Call[]}
 */
export function callsOf(server) {
  return suites[server];
}
