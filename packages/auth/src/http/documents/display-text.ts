import { withoutControls } from '@tenon/foundation';
import { redactThoroughly } from '@tenon/foundation/redaction/thorough';

const mostRead = 4_096;
const mostShown = 200;

/**
 * Returns a text of a peer as one short line for messages, without secrets and control characters; undefined if nothing is
 * left.
 */
export function displayText(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const line = withoutControls(text.slice(0, mostRead)).replace(/\s+/g, ' ').trim();
  const shown = redactThoroughly(line).slice(0, mostShown);
  return shown === '' ? undefined : shown;
}
