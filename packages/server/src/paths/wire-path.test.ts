import { describe, expect, test } from 'vitest';
import { showsBy } from '../../../../tooling/suite/shows.js';
import { isWithin, longestPath, type PathRules, readWirePath } from './wire-path.js';

type Row = readonly [text: unknown, outcome: string];

/** The path that was read, or what is wrong with it. */
function outcomeOf(text: unknown, rules: PathRules): string {
  const read = readWirePath(text, rules);
  return read.ok ? `reads ${read.path}` : read.problem;
}

const everywhere: readonly Row[] = [
  ['', 'is empty'],
  [7, 'must be text'],
  [null, 'must be text'],
  ['a\0b', 'has control characters'],
  ['a\nb', 'has control characters'],
  ['a\u007fb', 'has control characters'],
  ['a\ud800b', 'is not valid Unicode'],
  ['x'.repeat(longestPath + 1), `is longer than ${longestPath} characters`],
  ['..%2f..%2fetc', 'has an encoded separator (%2F or %5C)'],
  ['..%5C..%5Cetc', 'has an encoded separator (%2F or %5C)'],
  ['https://example.com/a', 'is a URI, but no file: URI'],
  ['ftp://example.com/a', 'is a URI, but no file: URI'],
  ['file:///a%2fb', 'has an encoded separator (%2F or %5C)'],
  ['file:///a%5Cb', 'has an encoded separator (%2F or %5C)'],
  ['file:///a%252fb', 'has an encoded separator (%2F or %5C)'],
  ['file:///a%00b', 'has control characters'],
  ['file:///a%0Ab', 'has control characters'],
  ['file:///a%ffb', 'has an escape that is not UTF-8'],
  ['file:///a%', 'has an escape that is not UTF-8'],
  ['file:///a%c0%af..', 'has an escape that is not UTF-8'],
  ['file://server/share/a', 'is on another host'],
  ['file://127.0.0.1/a', 'is on another host'],
  ['file://user@localhost/a', 'is on another host'],
  ['file:/a', 'is not a plain file: URI: it takes file:///folder/file, without query, fragment or backslash'],
  ['file:a', 'is not a plain file: URI: it takes file:///folder/file, without query, fragment or backslash'],
  [
    'file:///a?b',
    'is not a plain file: URI: it takes file:///folder/file, without query, fragment or backslash',
  ],
  [
    'file:///a#b',
    'is not a plain file: URI: it takes file:///folder/file, without query, fragment or backslash',
  ],
  [
    'file:///a\\..\\b',
    'is not a plain file: URI: it takes file:///folder/file, without query, fragment or backslash',
  ],
];

const posix: readonly Row[] = [
  ['/a/b', 'reads /a/b'],
  ['a/../b', 'reads a/../b'],
  ['100%', 'reads 100%'],
  ['a\\b', 'reads a\\b'],
  ['C:/a', 'reads C:/a'],
  ['notes:today', 'reads notes:today'],
  ['file:///a/b%20c', 'reads /a/b c'],
  ['file:///a/%C3%A9', 'reads /a/é'],
  ['FILE:///a', 'reads /a'],
  ['file://localhost/a', 'reads /a'],
  ['file:///a/%2e%2e/b', 'reads /a/../b'],
  ['file:////etc/passwd', 'reads //etc/passwd'],
];

const windows: readonly Row[] = [
  ['C:\\a\\b', 'reads C:\\a\\b'],
  ['c:/a/b', 'reads c:/a/b'],
  ['a\\..\\b', 'reads a\\..\\b'],
  ['file:///C:/a%20b/c', 'reads C:/a b/c'],
  ['file:///C:', 'names no drive'],
  ['C:', 'is relative to whatever folder a drive is at'],
  ['con', 'names a device'],
  ['C:\\a\\CON', 'names a device'],
  ['C:\\a\\nul.txt', 'names a device'],
  ['C:\\a\\aux .txt', 'names a device'],
  ['C:\\com1\\a', 'names a device'],
  ['C:\\LPT9.tar.gz', 'names a device'],
  ['C:\\com\u00b9', 'names a device'],
  ['CONIN$', 'names a device'],
  ['C:\\console', 'reads C:\\console'],
  ['C:\\com10', 'reads C:\\com10'],
  ['C:\\a.txt:hidden', 'names an alternate data stream'],
  ['C:\\a.txt::$DATA', 'names an alternate data stream'],
  ['file:///C:/a.txt:hidden', 'names an alternate data stream'],
  ['C:\\a.', 'has a name that ends with a dot or a space'],
  ['C:\\a \\b', 'has a name that ends with a dot or a space'],
  ['C:\\.. \\b', 'has a name that ends with a dot or a space'],
  ['C:\\...\\b', 'has a name that ends with a dot or a space'],
  ['C:\\a?b', 'has characters that no file name has'],
  ['C:\\a*', 'has characters that no file name has'],
  ['C:\\a|b', 'has characters that no file name has'],
  ['C:a', 'is relative to whatever folder a drive is at'],
  ['\\a', 'begins at the root of no drive'],
  ['/a', 'begins at the root of no drive'],
  ['\\\\server\\share\\a', 'names a network share or a device'],
  ['//server/share/a', 'names a network share or a device'],
  ['\\\\?\\C:\\a', 'names a network share or a device'],
  ['\\\\.\\PhysicalDrive0', 'names a network share or a device'],
  ['\\/?\\C:\\a', 'names a network share or a device'],
  ['\\??\\C:\\a', 'begins at the root of no drive'],
  ['file:///a', 'names no drive'],
  ['file:////server/share', 'names no drive'],
  ['ab:c', 'is a URI, but no file: URI'],
];

describe.each<[PathRules, readonly Row[]]>([
  ['posix', [...everywhere, ...posix]],
  ['windows', [...everywhere, ...windows]],
])('a path or file: URI from a peer, by the rules of %s', (rules, rows) => {
  test.each(rows.map(([text, outcome]) => ({ text, outcome, shown: String(text).slice(0, 40) })))(
    '$shown: $outcome',
    ({ text, outcome }) => {
      showsBy(rules, { windows: '2024-11-05/client/roots/paths-validated' });
      expect(outcomeOf(text, rules)).toBe(outcome);
    },
  );
});

test.each<readonly [PathRules, folder: string, path: string, within: boolean]>([
  ['posix', '/home/a', '/home/a', true],
  ['posix', '/home/a', '/home/a/b', true],
  ['posix', '/home/a', '/home/ab', false],
  ['posix', '/home/a', '/home', false],
  ['posix', '/home/a/', '/home/a/b', true],
  ['posix', '/', '/etc', true],
  ['posix', '/home/a', '/home/A/b', false],
  ['windows', 'C:\\a', 'C:\\a\\b', true],
  ['windows', 'C:\\a', 'c:\\a\\b', true],
  ['windows', 'C:\\a', 'D:\\a\\b', false],
  ['windows', 'C:\\a', 'C:\\ab', false],
  ['windows', 'C:\\', 'C:\\a', true],
  ['windows', 'C:\\a', 'C:\\A\\b', false],
])('by the rules of %s, %s holds %s: %s', (...row) => {
  const [rules, folder, path, within] = row;
  expect(isWithin(folder, path, rules)).toBe(within);
});
