const longest = 256;
const mostRepeats = 4;

/**
 * The power of a string's length that trying a pattern on it takes at worst, 1 or more.
 * @throws Error that says why a pattern is refused: repeats inside repeats, references back, look-around, or too long.
 */
export function patternCost(pattern: string): number {
  if (pattern.length > longest) throw new Error(`a pattern is longer than ${longest} characters`);
  try {
    new RegExp(pattern, 'u');
  } catch (cause) {
    throw new Error(`a pattern is no regular expression: ${pattern.slice(0, 80)}`, { cause });
  }
  const repeats = countRepeats(pattern);
  if (repeats > mostRepeats) throw new Error('a pattern has too many repeats');
  // A pattern that is not tied to the start is tried from each character.
  return 1 + repeats;
}

/** Counts open-ended repeats; a group that holds a choice or a repeat must not be repeated itself. */
function countRepeats(pattern: string): number {
  const groups: { risky: boolean }[] = [{ risky: false }];
  let closed: { risky: boolean } | undefined;
  let repeats = 0;
  for (let index = 0; index < pattern.length; index++) {
    const char = pattern[index];
    const group = groups[groups.length - 1] as { risky: boolean };
    const repeat = repeatAt(pattern, index);
    if (repeat !== undefined) {
      if (closed?.risky && repeat.many) throw new Error('a pattern repeats what repeats');
      if (repeat.many) {
        repeats++;
        group.risky = true;
      }
      index += repeat.length - 1;
      closed = undefined;
      continue;
    }
    closed = undefined;
    if (char === '\\') {
      if (/[1-9k]/.test(pattern[index + 1] ?? '')) throw new Error('a pattern refers back');
      index++;
    } else if (char === '[') index = endOfClass(pattern, index);
    else if (char === '(') {
      if (/^\(\?<?[=!]/.test(pattern.slice(index, index + 4))) throw new Error('a pattern looks around');
      groups.push({ risky: false });
    } else if (char === ')') {
      closed = groups.pop();
      const outer = groups[groups.length - 1];
      if (closed?.risky && outer !== undefined) outer.risky = true;
    } else if (char === '|') group.risky = true;
  }
  return repeats;
}

/** A repeat of up to this often is written out, in effect; one that may go on for longer counts as open-ended. */
const few = 32;

function repeatAt(pattern: string, index: number): { length: number; many: boolean } | undefined {
  const char = pattern[index];
  if (char === '*' || char === '+') return { length: 1, many: true };
  if (char === '?') return { length: 1, many: false };
  if (char !== '{') return undefined;
  const end = pattern.indexOf('}', index);
  const bounds = /^\{(\d+)(?:(,)(\d*))?$/.exec(pattern.slice(index, end));
  if (end < 0 || bounds === null) return undefined;
  const upper = bounds[2] === undefined ? Number(bounds[1]) : Number(bounds[3] || Number.POSITIVE_INFINITY);
  return { length: end - index + 1, many: upper > few };
}

function endOfClass(pattern: string, start: number): number {
  for (let index = start + 1; index < pattern.length; index++) {
    if (pattern[index] === '\\') index++;
    else if (pattern[index] === ']') return index;
  }
  return pattern.length;
}
