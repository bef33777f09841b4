import type { Revision } from '@tenon/mcp-protocol';
import {
  revision20241105,
  revision20250326,
  revision20250618,
  revision20251125,
  revision20260728,
} from '@tenon/mcp-protocol/internal';

/** All revisions, newest first. */
export const revisions: readonly Revision[] = [
  revision20260728,
  revision20251125,
  revision20250618,
  revision20250326,
  revision20241105,
];

/** Returns a revision by the text of a message or a header. */
export function revisionNamed(id: string): Revision | undefined {
  return revisions.find((revision) => revision.id === id);
}
