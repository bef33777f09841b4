/** Returns the known word nearest to a misspelt one; undefined if none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > 40) return undefined;
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = distanceOf(word.toLowerCase(), candidate.toLowerCase());
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

/** Returns the number of letters to insert, remove, change or swap with the next one. */
function distanceOf(left: string, right: string): number {
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
