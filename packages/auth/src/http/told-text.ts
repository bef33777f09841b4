import { withoutControls } from '@tenon/mcp-protocol';
import { redactThoroughly } from '@tenon/redaction/thorough';

const mostRead = 4_096;
const mostTold = 200;

/** A text of a peer as it may be shown: on one short line, without secrets and characters that terminals obey; undefined where nothing is left. */
export function toldText(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const line = withoutControls(text.slice(0, mostRead)).replace(/\s+/g, ' ').trim();
  const told = redactThoroughly(line).slice(0, mostTold);
  return told === '' ? undefined : told;
}
