import { isRecord } from '@tenon/foundation';
import type { Tool } from '@tenon/mcp-protocol';
import { isOneOf } from './app-metadata.js';

/** A caller of tools: the model, or the views of the same server. */
export type ToolCaller = 'model' | 'app';

const toolCallers = ['model', 'app'] as const;

/** The interface of a tool. */
export interface ToolUi {
  /** The URI of the app that shows results of the tool; undefined if it has none. */
  readonly uri: string | undefined;
  /** The callers that may see and call the tool. */
  readonly visibility: readonly ToolCaller[];
}

/** Characters of the URI of an app. */
export const longestUri = 2_048;

/**
 * Returns the interface that a server declares for a tool, in `_meta.ui` or in the deprecated key `ui/resourceUri`. A visibility that is
 * malformed hides the tool from all callers.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#resource-discovery
 */
export function toolUi({ _meta }: Pick<Tool, '_meta'>): ToolUi {
  const meta: { readonly [key: string]: unknown } = isRecord(_meta) ? _meta : {};
  const { ui } = meta;
  if (ui === undefined) return { uri: appUri(meta['ui/resourceUri']), visibility: toolCallers };
  if (!isRecord(ui)) return { uri: undefined, visibility: [] };
  const { resourceUri = meta['ui/resourceUri'], visibility = toolCallers } = ui;
  return {
    uri: appUri(resourceUri),
    visibility: Array.isArray(visibility) ? toolCallers.filter((caller) => visibility.includes(caller)) : [],
  };
}

/** True if the caller may see and call the tool. */
export function isVisibleTo(caller: ToolCaller, tool: Pick<Tool, '_meta'>): boolean {
  return toolUi(tool).visibility.includes(caller);
}

export function isAppUri(value: unknown): value is string {
  return (
    typeof value === 'string' && value.startsWith('ui://') && value.length > 5 && value.length <= longestUri
  );
}

/** Returns the problem of the option `visibility`, to follow its name in a sentence. */
export function visibilityProblem(value: unknown): string | undefined {
  const isList = Array.isArray(value) && value.length > 0 && value.every((one) => isOneOf(toolCallers, one));
  return isList ? undefined : 'must be a list of "model" and "app" that is not empty';
}

function appUri(value: unknown): string | undefined {
  return isAppUri(value) ? value : undefined;
}
