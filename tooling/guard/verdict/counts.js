/**
 * One count per request, and the tolerance of its budget.
 *
 * - `equal`: equal to two decimals.
 * - `share`: within this many per cent of the budget.
 * - `slack`: at most this many above the budget, or above 0 if the budget is negative;
 *   with `share`, or that many per cent of the budget, whichever is more.
 * - `reported`: printed, and never a failure.
 *
 * @typedef {object} Count
 * @property {string} id
 * @property {string} title
 * @property {string} heading of its column in the table
 * @property {{ equal: true } | { share: number } | { slack: number, share?: number } | { reported: true }} held
 * @property {boolean} [engine] true if it depends on the engine: compared only on the same major version of Node
 * @property {'callers' | 'functions' | 'packages' | 'allocators'} blame the figures that show the cause of a change
 */

/** @type {readonly Count[]} */
export const counts = [
  exact('parse', 'JSON.parse calls', 'parse'),
  exact('stringify', 'JSON.stringify calls', 'stringify'),
  exact('validations', 'schema validations', 'validate'),
  // A library may have a clock of its own, which ticks more often in a longer run.
  { ...exact('timers', 'timers made', 'timers'), held: { slack: 0.1 } },
  exact('turns', 'immediates and microtasks queued', 'turns'),
  exact('errors', 'errors made', 'errors'),
  exact('aborts', 'AbortControllers made', 'aborts'),
  // Leases in memory are renewed by time: a longer run makes more of their entries.
  { ...exact('collections', 'maps and sets made', 'maps'), held: { slack: 0.1 } },
  exact('webObjects', 'objects of the fetch API and the like made', 'web'),
  {
    id: 'promises',
    title: 'promises made',
    heading: 'promises',
    held: { share: 2 },
    engine: true,
    blame: 'functions',
  },
  {
    id: 'calls',
    title: "calls of Tenon's functions",
    heading: 'calls',
    held: { share: 2 },
    blame: 'functions',
  },
  {
    id: 'libraryCalls',
    title: "calls of libraries' functions",
    heading: 'libraries',
    held: { share: 2 },
    blame: 'packages',
  },
  {
    id: 'nodeCalls',
    title: "calls of Node's functions",
    heading: 'node',
    held: { reported: true },
    blame: 'packages',
  },
  {
    id: 'allocated',
    title: 'bytes allocated',
    heading: 'bytes',
    held: { share: 3 },
    engine: true,
    blame: 'allocators',
  },
  {
    id: 'kept',
    title: 'bytes kept',
    heading: 'kept',
    // Six measurements of the same code, which keeps a record for each call, were from 1,507 to 1,590.
    held: { slack: 24, share: 6 },
    engine: true,
    blame: 'functions',
  },
];

/**
 * @param {string} id
 * @param {string} title
 * @param {string} heading
 * @returns {Count}
 */
function exact(id, title, heading) {
  const blame = /** @type {const} */ ('callers');
  return { id, title, heading, held: { equal: true }, blame };
}
