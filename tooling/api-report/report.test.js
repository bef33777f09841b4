import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { publicEntries, report } from './report.js';

/** @type {string} */
let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'api-report-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** @param {Record<string, string>} files */
function plant(files) {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
}

it('prints each exported declaration once, sorted, without comments, then the unexported declarations they refer to', () => {
  plant({
    'index.d.ts': `export * from './tool.js';\nexport { close as stop } from './close.js';\nexport type { Id } from 'ids';\nexport {};\n`,
    'tool.d.ts': `import type { Hidden } from './hidden.js';
/** Says what it is. */
export interface Tool {
    /** The name. */
    readonly name: string; // unique
    hidden: Hidden;
}
export declare function call(name: string): Tool;
export declare function call(name: string, times: number): Tool[];
declare const unused: number;
`,
    'hidden.d.ts': `export interface Hidden {\n    deeper: import('./deeper.js').Deeper;\n}\n`,
    'deeper.d.ts': 'export type Deeper = typeof seed;\ndeclare const seed: 1;\n',
    'close.d.ts': 'export declare const close: () => void;\n',
  });

  expect(report({ name: 'pack', folder, entries: [['.', join(folder, 'index.d.ts')]] })).toBe(`# pack

Written by \`pnpm api\`. A change here is a change of the public interface.

## \`pack\`

\`\`\`ts
export { Id } from 'ids';
interface Tool {
    readonly name: string;
    hidden: Hidden;
}
function call(name: string): Tool;
function call(name: string, times: number): Tool[];
export { close as stop } from './close.js';
const close: () => void;
\`\`\`

## Named by the above, not exported

\`\`\`ts
// deeper.d.ts
type Deeper = typeof seed;
// hidden.d.ts
interface Hidden {
    deeper: import('./deeper.js').Deeper;
}
// deeper.d.ts
const seed: 1;
\`\`\`
`);
});

it('lists each entry and prints a declaration only in its first entry', () => {
  plant({
    'index.d.ts': 'export declare class Server {\n    #private;\n    close(): Promise<void>;\n}\n',
    'stdio.d.ts': `import type { Server } from './index.js';\nexport declare function serve(server: Server): void;\n`,
  });
  const entries = /** @type {[string, string][]} */ ([
    ['.', join(folder, 'index.d.ts')],
    ['./stdio', join(folder, 'stdio.d.ts')],
  ]);
  const text = report({ name: 'pack', folder, entries });
  expect(text).toContain('## `pack/stdio`');
  expect(text.match(/class Server/g)).toHaveLength(1);
  expect(text).not.toContain('not exported');
});

it('omits internal entries and entries without types', () => {
  const entries = publicEntries('/pack', {
    '.': { types: './dist/index.d.ts' },
    './http': { types: './dist/http.d.ts' },
    './internal': { types: './dist/internal.d.ts' },
    './http/internal': { types: './dist/http/internal.d.ts' },
    './package.json': './package.json',
  });
  expect(entries).toEqual([
    ['.', join('/pack/dist/index.d.ts')],
    ['./http', join('/pack/dist/http.d.ts')],
  ]);
});
