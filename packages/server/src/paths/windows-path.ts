// Names that are devices in every folder, whatever follows their first dot.
const devices =
  /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])$/i;
const forbidden = /[<>"|?*]/;

/**
 * What keeps a Windows path from a peer from meaning one ordinary file; undefined for nothing. Slashes of both kinds
 * separate. It must begin with a drive, or be relative.
 * @see https://learn.microsoft.com/windows/win32/fileio/naming-a-file
 */
export function windowsPathFlaw(path: string): string | undefined {
  const parts = path.split(/[\\/]/);
  const [first = '', second] = parts;
  if (first === '' && second !== undefined) {
    return second === '' ? 'names a network share or a device' : 'begins at the root of no drive';
  }
  const hasDrive = /^[a-z]:$/i.test(first);
  if (/^[a-z]:/i.test(first) && !(hasDrive && second !== undefined))
    return 'is relative to whatever folder a drive is at';
  for (const part of hasDrive ? parts.slice(1) : parts) {
    const flaw = partFlaw(part);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

function partFlaw(part: string): string | undefined {
  if (part === '' || part === '.' || part === '..') return undefined;
  if (part.includes(':')) return 'names an alternate data stream';
  if (forbidden.test(part)) return 'has characters that no file name has';
  // Windows drops them, so that "secret." is "secret", and ".. " a step up.
  if (part.endsWith('.') || part.endsWith(' ')) return 'has a name that ends with a dot or a space';
  const stem = part.slice(0, `${part}.`.indexOf('.')).trimEnd();
  return devices.test(stem) ? 'names a device' : undefined;
}
