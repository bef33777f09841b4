import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it.each(['@tenon/mcp-client', '@tenon/mcp-server', '@tenon/mcp-auth/desktop'])(
  'gives the error classes of %s the names that they are exported by',
  (entry) => {
    const program = `
    const entry = await import(${JSON.stringify(entry)});
    const errors = Object.entries(entry).filter(([, value]) => value.prototype instanceof Error);
    console.log(JSON.stringify(errors.map(([name, { name: own }]) => [name, own])));`;
    // Node reads the bundles of dist, as it does for users; tests read the sources.
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      encoding: 'utf8',
    });
    // Names with a dollar are for the other files of the bundle.
    const names = (JSON.parse(printed) as [string, string][]).filter(([name]) => !name.startsWith('$'));
    expect(names.length).toBeGreaterThan(0);
    expect(names.map(([, own]) => own)).toEqual(names.map(([name]) => name));
  },
);
