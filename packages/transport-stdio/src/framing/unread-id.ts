import type { RequestId } from '@tenon/mcp-protocol';
import type { UnreadId } from '@tenon/mcp-protocol/internal';

// Members that most implementations write before params, result or error, in any order.
const member = /\s*"(jsonrpc|id|method)"\s*:\s*(\d{1,15}(?=\s*,)|"[^"\\]*")\s*,/y;
const outcome = /\s*"(?:result|error)"\s*:/y;

/** Returns the kind and id of a message that is too long, as far as its beginning shows; undefined for other text. */
export function unreadIdIn(text: string): UnreadId | undefined {
  const open = /^\s*\{/.exec(text);
  if (open === null) return undefined;
  let at = open[0].length;
  const seen = new Map<string, string>();
  for (;;) {
    member.lastIndex = at;
    const [whole = '', name = '', value = ''] = member.exec(text) ?? [];
    if (whole === '' || seen.has(name)) break;
    seen.set(name, value);
    at = member.lastIndex;
  }
  const id = idOf(seen.get('id'));
  if (id === undefined || (seen.get('jsonrpc') ?? '"2.0"') !== '"2.0"') return undefined;
  if (seen.get('method')?.startsWith('"')) return { kind: 'request', id };
  outcome.lastIndex = at;
  return seen.has('jsonrpc') && outcome.test(text) ? { kind: 'response', id } : undefined;
}

function idOf(text: string | undefined): RequestId | undefined {
  return text?.startsWith('"') ? text.slice(1, -1) : text && Number(text);
}
