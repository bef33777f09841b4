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
