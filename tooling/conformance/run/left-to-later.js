/**
 * Scenarios for features that this project does not have yet, by the start of their names. They are listed, and judged when
 * their line here is removed.
 *
 * @type {readonly { prefix: string, reason: string }[]}
 */
const leftToLater = [{ prefix: 'tasks-', reason: 'the tasks extension is not built yet' }];

/**
 * @param {string} scenario
 * @returns {string | undefined} the reason that it is not judged yet
 */
export function whyLater(scenario) {
  return leftToLater.find(({ prefix }) => scenario.startsWith(prefix))?.reason;
}
