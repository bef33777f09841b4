import type { Revision } from '../codec/revision.js';
import { revision20241105 } from './2024-11-05/revision.js';
import { revision20250326 } from './2025-03-26/revision.js';
import { revision20250618 } from './2025-06-18/revision.js';
import { revision20251125 } from './2025-11-25/revision.js';
import { revision20260728 } from './2026-07-28/revision.js';

/** Every published revision, newest first. */
export const revisions: readonly Revision[] = [
  revision20260728,
  revision20251125,
  revision20250618,
  revision20250326,
  revision20241105,
];

/** The newest revision. */
export const latest: Revision = revision20260728;

/** The newest revision that needs no handshake. */
export const latestStateless: Revision = revision20260728;

/** The newest revision that begins with a handshake. */
export const latestHandshake: Revision = revision20251125;

const byId: ReadonlyMap<string, Revision> = new Map(revisions.map((revision) => [revision.id, revision]));

/** The revision of that date, or undefined for one that was never published. */
export function findRevision(id: string): Revision | undefined {
  return byId.get(id);
}

export { revision20241105, revision20250326, revision20250618, revision20251125, revision20260728 };
