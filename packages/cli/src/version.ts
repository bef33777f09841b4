import { readFileSync } from 'node:fs';
import type { Implementation } from '@tenon/mcp-client';

/** Returns the version of this program. */
export function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return (manifest as { readonly version: string }).version;
}

/** Returns the client info of this program. */
export function clientInfo(): Implementation {
  return { name: 'tenon', version: ownVersion() };
}
