/** Returns the names that a misspelt name may mean, the closest first; at most three. */
export function closeNames(name: string, names: Iterable<string>): string[] {
  const wanted = plain(name);
  const most = Math.max(1, Math.floor(wanted.length / 3));
  const found: { readonly name: string; readonly distance: number }[] = [];
  for (const candidate of names) {
    const other = plain(candidate);
    if (Math.abs(other.length - wanted.length) <= most) {
      const distance = editDistance(wanted.slice(0, mostCharacters), other.slice(0, mostCharacters));
      if (distance <= most) {
        found.push({ name: candidate, distance });
        continue;
      }
    }
    const isPart =
      wanted.length >= 4 && other.length >= 4 && (other.includes(wanted) || wanted.includes(other));
    if (isPart) found.push({ name: candidate, distance: most + 1 });
  }
  return found
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Returns a sentence that lists close names, such as `Did you mean "echo"?`; undefined if no name is close. */
export function didYouMean(name: string, names: Iterable<string>): string | undefined {
  const close = closeNames(name, names).map((one) => `"${one}"`);
  if (close.length === 0) return undefined;
  const [last = ''] = close.slice(-1);
  return `Did you mean ${close.length === 1 ? last : `${close.slice(0, -1).join(', ')} or ${last}`}?`;
}

const mostCharacters = 64;

// Words that differ in case and separators alone are the same to a person.
function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_.\-/]/g, '');
}

/** Counts insertions, deletions, replacements and swaps of neighbours between two texts. */
function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let line = 1; line <= one.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[line - 1] === other[column - 1];
      const swapped = one[line - 1] === other[column - 2] && one[line - 2] === other[column - 1];
      next[column] = Math.min(
        (row[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (row[column - 1] ?? 0) + (isSame ? 0 : 1),
        swapped && line > 1 && column > 1 ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = row;
    row = next;
  }
  return row[other.length] ?? 0;
}
