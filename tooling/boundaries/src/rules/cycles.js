/** @typedef {{ index: number, low: number, onStack: boolean }} Mark */

/**
 * No import cycles among files, type imports included.
 *
 * @type {import('../violation.js').Rule}
 */
export function cycles(workspace) {
  const edges = new Map([...workspace.files.values()].map((file) => [file.path, workspace.edges(file)]));
  return components(edges).map((members) => {
    const path = /** @type {string} */ ([...members].sort()[0]);
    const ring = shortestRing(edges, members, path);
    const line = edges.get(path)?.find((edge) => edge.path === ring[1])?.line ?? 1;
    const message = `import cycle ${ring.join(' -> ')}; move what both need into a file that imports neither`;
    return { path, line, rule: 'cycle', message };
  });
}

/**
 * Folders are floors: no folder of a package imports, directly or through others, from a folder that imports from it. A file at the root
 * of `src` is a floor of its own.
 *
 * @type {import('../violation.js').Rule}
 */
export function floors(workspace) {
  /** @type {Map<string, (Arrow & { path: string })[]>} */
  const arrows = new Map();
  for (const file of workspace.files.values()) {
    const from = floorOf(file.path);
    if (from === undefined || file.isTest) continue;
    const own = arrows.get(from) ?? [];
    arrows.set(from, own);
    for (const { path, line } of workspace.edges(file)) {
      const to = floorOf(path);
      if (to !== undefined && to !== from && samePackage(from, to))
        own.push({ path: to, from: file.path, to: path, line });
    }
  }
  return components(arrows).flatMap((members) => {
    const folders = [...members].filter((floor) => !floor.endsWith('.ts')).sort();
    const [start = ''] = folders;
    if (folders.length < 2) return [];
    const ring = shortestRing(arrows, members, start);
    const steps = ring
      .slice(1)
      .map((to, index) => arrows.get(ring[index] ?? '')?.find(({ path }) => path === to));
    const told = steps.map((step) => step && `${step.from} imports ${step.to}`).join(', ');
    const message = `folders import each other: ${told}; move what both need to the lower folder`;
    return [{ path: steps[0]?.from ?? start, line: steps[0]?.line ?? 1, rule: 'floor', message }];
  });
}

/**
 * An import from one folder to another.
 *
 * @typedef {object} Arrow
 * @property {string} from the file that imports
 * @property {string} to the imported file
 * @property {number} line
 */

/**
 * Returns the folder of a source file of a package, or the file if it is at the root of `src`.
 *
 * @param {string} path
 */
function floorOf(path) {
  const [, base, inside = ''] = /^(packages\/[^/]+\/src\/)(.+)$/.exec(path) ?? [];
  if (base === undefined) return undefined;
  const end = inside.lastIndexOf('/');
  return base + (end === -1 ? inside : inside.slice(0, end));
}

/**
 * @param {string} one
 * @param {string} other
 */
function samePackage(one, other) {
  return one.split('/', 2)[1] === other.split('/', 2)[1];
}

/**
 * Returns the strongly connected sets of more than one file, and files that import themselves (Tarjan).
 *
 * @param {Map<string, { path: string }[]>} edges
 */
function components(edges) {
  /** @type {Map<string, Mark>} */
  const marks = new Map();
  /** @type {string[]} */
  const stack = [];
  /** @type {Set<string>[]} */
  const found = [];

  /** @param {string} path */
  const visit = (path) => {
    const mark = { index: marks.size, low: marks.size, onStack: true };
    marks.set(path, mark);
    stack.push(path);
    for (const next of edges.get(path) ?? []) {
      const seen = marks.get(next.path);
      if (seen === undefined) mark.low = Math.min(mark.low, visit(next.path).low);
      else if (seen.onStack) mark.low = Math.min(mark.low, seen.index);
    }
    if (mark.low === mark.index) {
      const members = new Set(stack.splice(stack.indexOf(path)));
      for (const member of members) /** @type {Mark} */ (marks.get(member)).onStack = false;
      if (members.size > 1 || edges.get(path)?.some((edge) => edge.path === path)) found.push(members);
    }
    return mark;
  };

  for (const path of edges.keys()) if (!marks.has(path)) visit(path);
  return found;
}

/**
 * @param {Map<string, { path: string }[]>} edges
 * @param {Set<string>} members
 * @param {string} start
 */
function shortestRing(edges, members, start) {
  const queue = [[start]];
  const seen = new Set();
  for (const way of queue) {
    for (const { path } of edges.get(/** @type {string} */ (way.at(-1))) ?? []) {
      if (path === start) return [...way, start];
      if (!members.has(path) || seen.has(path)) continue;
      seen.add(path);
      queue.push([...way, path]);
    }
  }
  return [start];
}
