import { editDistance } from './nearest.js';

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
