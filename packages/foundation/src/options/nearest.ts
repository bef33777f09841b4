/** The most characters of a word that is compared, and of a known word. */
const [longest, longestKnown] = [40, 128];
/** The most known words that are read for one word of a peer, and compared letter by letter: that takes less than a millisecond. */
const [mostRead, mostCompared] = [500, 100];
/** The fewest letters that two words must begin with to be taken for each other. */
const commonLetters = 4;

/** Returns the known word nearest to a misspelt one; undefined if none is near. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  if (word.length > longest) return undefined;
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  let longer: string | undefined;
  let read = 0;
  let compared = 0;
  for (const candidate of known) {
    if (++read > mostRead) break;
    if (candidate.length > longestKnown) continue;
    const lower = candidate.slice(0, 2 * longest).toLowerCase();
    if (continues(wanted, lower) && (longer === undefined || lower.length > longer.length))
      longer = candidate;
    if (Math.abs(lower.length - wanted.length) >= least || ++compared > mostCompared) continue;
    const distance = editDistance(wanted, lower);
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return best ?? longer;
}

/** Returns the sentences that follow the name of an unknown option: the one that was meant, or else all there are. */
export function meantOption(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  if (meant !== undefined) return ` Did you mean "${meant}"?`;
  return known.length === 0 ? ' There are none.' : ` There are: ${known.join(', ')}.`;
}

/** True if one of the words begins with the other. */
function continues(one: string, other: string): boolean {
  if (Math.min(one.length, other.length) < commonLetters) return false;
  return one.startsWith(other) || other.startsWith(one);
}

/** Returns the number of letters to insert, remove, change or swap with the next one. Takes time in proportion to both lengths. */
export function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      const changed = (last[column - 1] ?? 0) + (isSame ? 0 : 1);
      const moved = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const swapped = isSwap ? (beforeLast[column - 2] ?? 0) + 1 : changed;
      current.push(Math.min(changed, moved, swapped));
    }
    [beforeLast, last] = [last, current];
  }
  return last[right.length] ?? 0;
}
