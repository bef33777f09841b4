/** The argument of `--part`, for the text of `--help`. */
export const partHelp = 'K/N: the K-th of N parts, such as 2/3';

/**
 * Returns one of several parts of a list, so that runs that each check a part check all of it together: neighbours, which are
 * often alike, are in different parts.
 *
 * @template T
 * @param {readonly T[]} list
 * @param {string | undefined} part - `K/N`; undefined for all
 * @throws RangeError for a part that there is not, or that has no member
 */
export function partOf(list, part) {
  if (part === undefined) return [...list];
  const [, k, n] = (/^([1-9]\d?)\/([1-9]\d?)$/.exec(part) ?? []).map(Number);
  if (k === undefined || n === undefined || k > n)
    throw new RangeError(`--part takes ${partHelp}, not ${part}.`);
  const chosen = list.filter((_, index) => index % n === k - 1);
  if (chosen.length === 0) throw new RangeError(`--part ${part} has none of ${list.length}.`);
  return chosen;
}
