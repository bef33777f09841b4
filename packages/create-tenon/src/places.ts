import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The sources and the built program are one folder below the package.
const inPackage = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The folder of the templates. */
export const templatesFolder: string = inPackage('templates');

/** Returns the version of this program. */
export function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(inPackage('package.json'), 'utf8'));
  return (manifest as { readonly version: string }).version;
}

/** Returns the version range of each package that templates use, by name. The build writes them. */
export function packageRanges(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(inPackage('dist/versions.json'), 'utf8')) as Record<string, string>;
}
