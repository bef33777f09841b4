// The figures by function from when the budgets were set, so that the report can name functions that grew.

/**
 * @typedef {import('./figures.js').Figures} Figures
 * @typedef {import('./counts.js').Count} Count
 *
 * @typedef {Record<string, string>} Group counts by file, each written `name count, name count`
 *
 * @typedef {object} RunProfile
 * @property {Group} functions
 * @property {Record<string, number>} packages
 * @property {Record<string, Group>} callers
 * @property {Group} allocators
 *
 * @typedef {Record<string, RunProfile>} Profile by run
 */

/** Functions that allocate fewer bytes are left out. */
const leastBytes = 100;

/**
 * @param {Figures} figures
 * @returns {RunProfile}
 */
export function profileOf({ functions, packages, callers, allocators }) {
  const large = Object.entries(allocators).filter(([, bytes]) => bytes >= leastBytes);
  const called = Object.entries(callers).filter(([, group]) => Object.keys(group).length > 0);
  return {
    functions: grouped(functions),
    packages: sorted(Object.entries(packages)),
    callers: Object.fromEntries(called.map(([id, group]) => [id, grouped(group)])),
    allocators: grouped(Object.fromEntries(large.map(([name, bytes]) => [name, twoDigits(bytes)]))),
  };
}

/**
 * Returns the functions that grew since a profile was written, the largest growth first.
 *
 * @param {Count} count
 * @param {Figures} figures
 * @param {RunProfile | undefined} profile
 * @returns {{ name: string, before: number, now: number }[]}
 */
export function grown({ id, blame }, figures, profile) {
  const now = blame === 'callers' ? (figures.callers[id] ?? {}) : figures[blame];
  const before = beforehand({ id, blame }, profile);
  const isMeant = (/** @type {string} */ name) => blame !== 'packages' || isLibrary(name);
  return Object.entries(now)
    .filter(([name]) => isMeant(name))
    .map(([name, value]) => ({ name, before: before[name] ?? 0, now: value }))
    .filter(({ before, now }) => (blame === 'allocators' ? now > 1.2 * before + leastBytes : now > before))
    .sort((a, b) => b.now - b.before - (a.now - a.before));
}

/** @param {string} name of a package, as in {@link Figures} */
function isLibrary(name) {
  return name !== 'node' && !name.startsWith('tenon/');
}

/**
 * @param {Pick<Count, 'id' | 'blame'>} count
 * @param {RunProfile | undefined} profile
 * @returns {Record<string, number>}
 */
function beforehand({ id, blame }, profile) {
  if (profile === undefined) return {};
  if (blame === 'packages') return profile.packages;
  return spread((blame === 'callers' ? profile.callers[id] : profile[blame]) ?? {});
}

/**
 * @param {Record<string, number>} figures by `file name`
 * @returns {Group}
 */
function grouped(figures) {
  /** @type {Record<string, string[]>} */
  const files = {};
  for (const [name, figure] of Object.entries(sorted(Object.entries(figures)))) {
    const cut = name.indexOf(' ');
    const file = cut < 0 ? name : name.slice(0, cut);
    const own = cut < 0 ? '' : `${name.slice(cut + 1)} `;
    files[file] = [...(files[file] ?? []), `${own}${figure}`];
  }
  return Object.fromEntries(Object.entries(files).map(([file, names]) => [file, names.join(', ')]));
}

/** @param {Group} group */
function spread(group) {
  /** @type {Record<string, number>} */
  const figures = {};
  for (const [file, names] of Object.entries(group)) {
    for (const one of names.split(', ')) {
      const cut = one.lastIndexOf(' ');
      figures[cut < 0 ? file : `${file} ${one.slice(0, cut)}`] = Number(one.slice(cut + 1));
    }
  }
  return figures;
}

/** @param {[string, number][]} entries */
function sorted(entries) {
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** @param {number} bytes */
function twoDigits(bytes) {
  return Number(bytes.toPrecision(2));
}
