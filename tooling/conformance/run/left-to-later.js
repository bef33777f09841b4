/**
 * Scenarios that are listed and not judged, by the start of their names.
 *
 * @type {readonly { prefix: string, reason: string }[]}
 */
const leftToLater = [
  {
    prefix: 'tasks-status-notifications',
    reason: 'the suite always skips it; the tests of packages/tasks cover it',
  },
];

/**
 * @param {string} scenario
 * @returns {string | undefined} the reason that it is not judged yet
 */
export function whyLater(scenario) {
  return leftToLater.find(({ prefix }) => scenario.startsWith(prefix))?.reason;
}
