import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from './check.js';
import { format } from './violation.js';

const root = resolve(process.argv[2] ?? fileURLToPath(new URL('../../..', import.meta.url)));
const { violations, fileCount } = check(root);
for (const violation of violations) console.error(format(violation));
if (violations.length > 0) {
  console.error(`boundaries: ${violations.length} violations in ${fileCount} files`);
  process.exitCode = 1;
} else {
  console.log(`boundaries: ${fileCount} files, no violations`);
}
