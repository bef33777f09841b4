// Names of devices in every folder, with any text after their first dot.
const devices =
  /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])$/i;
const forbidden = /[<>"|?*]/;

/**
 * Returns the reason why a Windows path from a peer is not one ordinary file; undefined if there is none. Both slashes
 * are separators. The path must begin with a drive, or be relative.
 * @see https://learn.microsoft.com/windows/win32/fileio/naming-a-file
 */
export function windowsPathProblem(path: string): string | undefined {
  const parts = path.split(/[\\/]/);
  const [first = '', second] = parts;
  if (first === '' && second !== undefined) {
    return second === '' ? 'names a network share or a device' : 'begins at the root of no drive';
  }
  const hasDrive = /^[a-z]:$/i.test(first);
  if (/^[a-z]:/i.test(first) && !(hasDrive && second !== undefined))
    return 'is relative to whatever folder a drive is at';
  for (const part of hasDrive ? parts.slice(1) : parts) {
    const problem = partProblem(part);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function partProblem(part: string): string | undefined {
  if (part === '' || part === '.' || part === '..') return undefined;
  if (part.includes(':')) return 'names an alternate data stream';
  if (forbidden.test(part)) return 'has characters that no file name has';
  // Windows drops them: "secret." is "secret", and ".. " is the parent folder.
  if (part.endsWith('.') || part.endsWith(' ')) return 'has a name that ends with a dot or a space';
  const stem = part.slice(0, `${part}.`.indexOf('.')).trimEnd();
  return devices.test(stem) ? 'names a device' : undefined;
}
