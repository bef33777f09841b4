/**
 * What is counted of a request, and how closely it is held.
 *
 * - `equal`: to the hundredth.
 * - `share`: the budget and so many per cent of it.
 * - `slack`: the budget, or 0 where that is less, and so many more.
 * - `told`: not held, only told.
 *
 * @typedef {object} Count
 * @property {string} id
 * @property {string} title
 * @property {string} heading of its column
 * @property {{ equal: true } | { share: number } | { slack: number } | { told: true }} held
 * @property {boolean} [engine] depends on the engine: only compared on the major version of Node it was counted on
 * @property {'callers' | 'functions' | 'packages' | 'allocators'} blame what tells where it comes from
 */

/** @type {readonly Count[]} */
export const counts = [
  exact('parse', 'JSON.parse calls', 'parse'),
  exact('stringify', 'JSON.stringify calls', 'stringify'),
  exact('validations', 'schema validations', 'validate'),
  // A library may keep a clock of its own, which ticks more often where a run takes longer.
  { ...exact('timers', 'timers made', 'timers'), held: { slack: 0.1 } },
  exact('turns', 'immediates and microtasks queued', 'turns'),
  exact('errors', 'errors made', 'errors'),
  exact('aborts', 'AbortControllers made', 'aborts'),
  exact('collections', 'maps and sets made', 'maps'),
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
    held: { told: true },
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
  { id: 'kept', title: 'bytes kept', heading: 'kept', held: { slack: 24 }, engine: true, blame: 'functions' },
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
