/** Longest names that are compared: comparing takes time in proportion to the product of both lengths. */
const longest = 64;

/** Returns the names that a misspelt name may mean, the closest first: at most three. */
export function closeNames(name: string, names: Iterable<string>): string[] {
  const wanted = name.toLowerCase().slice(0, longest);
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  return [...new Set(names)]
    .map((one) => ({ one, distance: distanceOf(wanted, one.toLowerCase().slice(0, longest)) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ one }) => one);
}

/** Counts the insertions, deletions, replacements and swaps of neighbours; a name that begins with the other counts as close. */
function distanceOf(a: string, b: string): number {
  if (a.length >= 3 && b.startsWith(a)) return 1;
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(rows, i - 1, j) + 1,
          (row[j - 1] ?? 0) + 1,
          at(rows, i - 1, j - 1) + (isSame ? 0 : 1),
          isSwap ? at(rows, i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(row);
  }
  return at(rows, a.length, b.length);
}

function at(rows: readonly (readonly number[])[], i: number, j: number): number {
  return rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
}
