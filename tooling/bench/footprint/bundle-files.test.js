import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { gzippedSizes } from './bundle-files.js';

test('returns the gzipped size of each file of a bundle', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-sizes-'));
  try {
    const text = 'export const same = 1;\n'.repeat(200);
    writeFileSync(join(folder, 'entry.js'), text);
    writeFileSync(join(folder, 'chunk.js'), '');
    const sizes = await gzippedSizes(folder);
    const packed = gzipSync(text, { level: 9 });
    expect(gunzipSync(packed).toString()).toBe(text);
    expect(sizes).toEqual(
      new Map([
        [join(folder, 'entry.js'), packed.length],
        [join(folder, 'chunk.js'), gzipSync('').length],
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
