import { isRecord } from '@tenon/foundation';
import type { Tool } from '@tenon/mcp-protocol';

/**
 * True if models, or views of the server's apps, may see and call a tool. A visibility that is malformed hides the tool from both.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#visibility
 */
export function isVisibleTo(caller: 'model' | 'app', { _meta }: Pick<Tool, '_meta'>): boolean {
  const ui = isRecord(_meta) ? _meta.ui : undefined;
  if (ui === undefined) return true;
  const visibility = isRecord(ui) ? (ui.visibility ?? ['model', 'app']) : undefined;
  return Array.isArray(visibility) && visibility.includes(caller);
}
