import type { ModelFormat } from '../models/formats/model-format.js';
import { memberName } from '../models/formats/text/accepted-name.js';
import { shortened, visibleLine } from '../models/formats/text/visible-text.js';
import { estimateTokens } from '../models/formats/tokens.js';
import {
  type AnthropicTool,
  type ModelToolsResult,
  modelTools,
  type OpenAiResponsesTool,
} from '../models/formats/tool-definitions.js';
import type { ModelTool } from '../models/model-tool.js';

/** The formats of models that search deferred tools themselves. */
export type NativeFormat = 'anthropic' | 'openai-responses';

/**
 * The tool with which Claude searches deferred tools. It needs no beta header.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool, `ToolSearchToolBm25_20251119` of `@anthropic-ai/sdk` 1.14.
 */
export interface AnthropicToolSearch {
  readonly type: 'tool_search_tool_bm25_20251119';
  readonly name: typeof anthropicSearchName;
}

/**
 * The tool with which models of OpenAI, from gpt-5.4 on, search deferred tools.
 * https://developers.openai.com/api/docs/guides/tools-tool-search, `ToolSearchTool` of `openai` 6.49.
 */
export interface OpenAiToolSearch {
  readonly type: 'tool_search';
}

/** A tool that the model sees once a search has found it. */
export type Deferred<Tool> = Tool & { readonly defer_loading: true };

/** The tools of one server. The model sees its name and description, and searches for the rest. */
export interface OpenAiNamespace {
  readonly type: 'namespace';
  readonly name: string;
  readonly description: string;
  /** Not readonly: `openai` has no readonly lists here. */
  readonly tools: Deferred<OpenAiResponsesTool>[];
}

/** Tools with those of servers deferred, in the formats that have it. */
export interface NativeTools {
  readonly anthropic: readonly (AnthropicToolSearch | Deferred<AnthropicTool> | AnthropicTool)[];
  readonly 'openai-responses': readonly (OpenAiToolSearch | OpenAiNamespace | OpenAiResponsesTool)[];
}

/** The name of the tool with which Claude searches. */
export const anthropicSearchName = 'tool_search_tool_bm25';

/** The most names of tools in the description of a namespace, and its characters. */
const described = { tools: 30, characters: 1_000 };

/** Tools with those of servers deferred, for a model that searches them itself. */
export interface NativeModelTools<Format extends NativeFormat> {
  /** The search of the model, the tools of the host, and those of the servers, which the model sees once a search has found them. */
  readonly tools: NativeTools[Format];
  /** The losses of the tools that the model finds, as `host.tools` has them. */
  readonly report: ModelToolsResult['report'];
  /** An estimate of the tokens that the model sees before it searches. */
  readonly tokens: number;
  /** An estimate of the tokens that all tools would cost more. */
  readonly savedTokens: number;
}

/** @throws TypeError if models of the format do not search deferred tools. */
export function requireNative(format: ModelFormat | undefined): asserts format is NativeFormat {
  if (format !== 'anthropic' && format !== 'openai-responses')
    throw new TypeError(
      `host.tools(): deferred: "native" needs for: "anthropic" or "openai-responses". Only these models search deferred tools themselves. ${format === undefined ? 'Set one of them' : `For "${format}" use deferred: true`}.`,
    );
}

/** Returns all tools, with those of servers deferred. */
export function nativeTools(
  all: readonly ModelTool[],
  { for: format, strict }: { readonly for: NativeFormat; readonly strict: boolean },
): NativeModelTools<NativeFormat> {
  const { tools: written, report } = modelTools(all, { for: format, strict });
  const servers = new Map(all.map(({ name, server }) => [name, server]));
  const isOwn = ({ name }: { readonly name: string }) => servers.get(name) === '';
  const { tools, seen } =
    format === 'anthropic'
      ? forAnthropic(written as readonly AnthropicTool[], isOwn)
      : forOpenAi(written as readonly OpenAiResponsesTool[], all);
  const tokens = estimateTokens(seen);
  return { tools, report, tokens, savedTokens: Math.max(0, estimateTokens(written) - tokens) };
}

interface Written {
  readonly tools: NativeTools[NativeFormat];
  /** The part that the model sees before it searches. */
  readonly seen: readonly unknown[];
}

function forAnthropic(tools: readonly AnthropicTool[], isOwn: (tool: AnthropicTool) => boolean): Written {
  const search: AnthropicToolSearch = { type: 'tool_search_tool_bm25_20251119', name: anthropicSearchName };
  const own = tools.filter(isOwn);
  const deferred = tools
    .filter((tool) => !isOwn(tool))
    .map((tool) => ({ ...tool, defer_loading: true as const }));
  return { tools: [search, ...own, ...deferred], seen: [search, ...own] };
}

/** Of a namespace the model sees the name and the description; of a deferred function outside of one, its description too. */
function forOpenAi(tools: readonly OpenAiResponsesTool[], all: readonly ModelTool[]): Written {
  const search: OpenAiToolSearch = { type: 'tool_search' };
  const own: OpenAiResponsesTool[] = [];
  const byServer = new Map<string, { names: string[]; deferred: Deferred<OpenAiResponsesTool>[] }>();
  // Both lists have the same order.
  for (const [index, { server, tool }] of all.entries()) {
    const written = tools[index] as OpenAiResponsesTool;
    if (server === '') {
      own.push(written);
      continue;
    }
    const { names, deferred } = byServer.get(server) ?? { names: [], deferred: [] };
    byServer.set(server, { names, deferred });
    names.push(tool.name);
    deferred.push({ ...written, defer_loading: true });
  }
  const namespaces = [...byServer].map(([server, { names, deferred }]): OpenAiNamespace => {
    return {
      type: 'namespace',
      name: memberName(server),
      description: about(server, names),
      tools: deferred,
    };
  });
  const seen = namespaces.map(({ name, description }) => ({ name, description }));
  return { tools: [search, ...own, ...namespaces], seen: [search, ...own, ...seen] };
}

function about(server: string, names: readonly string[]): string {
  const shown = names.slice(0, described.tools).map((name) => visibleLine(name, 64));
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return shortened(`Tools of ${visibleLine(server, 128)}: ${shown.join(', ')}${more}`, described.characters);
}
