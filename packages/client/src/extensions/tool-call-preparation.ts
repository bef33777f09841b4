import type { CallToolParams, Tool } from '@tenon/mcp-protocol';
import type { CallOptions } from '../calls/call-options.js';
import { weigh } from '../calls/output-weight.js';
import { heaviestTogether, ToolStore } from '../calls/tool-store.js';
import type { CallPreparation } from '../calls/whole-call.js';
import type { Session } from '../session/session.js';
import type { ClientExtensions } from './client-extensions.js';
import type { ClientContributions, ExtensionClient, ListedTool } from './extension.js';

interface Preparing {
  readonly all: ClientExtensions;
  /** By the ids of their extensions. */
  readonly clients: ReadonlyMap<string, ExtensionClient>;
  /** Stored tools; the oldest is dropped. */
  readonly limit: number;
}

/** Returns the changes that extensions make to tool calls before they are sent; undefined if no extension makes any. */
export function callPreparation(
  extensions: readonly ClientContributions[],
  preparing: Preparing,
): CallPreparation | undefined {
  const preparers = extensions.filter(({ prepareToolCall }) => prepareToolCall !== undefined);
  return preparers.length === 0 ? undefined : new ToolCallPreparation(preparers, preparing);
}

/** Passes tool calls to the extensions that are in use, in the order of the list. */
class ToolCallPreparation implements CallPreparation {
  readonly #extensions: readonly ClientContributions[];
  readonly #preparing: Preparing;
  readonly #tools: ToolStore<ListedTool>;

  constructor(extensions: readonly ClientContributions[], preparing: Preparing) {
    this.#extensions = extensions;
    this.#preparing = preparing;
    this.#tools = new ToolStore(preparing.limit);
  }

  prepare(
    params: CallToolParams,
    { options, session }: { readonly options: CallOptions | undefined; readonly session: Session },
  ): CallToolParams {
    const { all, clients } = this.#preparing;
    let prepared = params;
    for (const extension of this.#extensions) {
      const client = clients.get(extension.id);
      if (client === undefined || all.settings(extension.id, session) === undefined) continue;
      const tool = this.#tools.get(params.name);
      const next: unknown = extension.prepareToolCall?.({ params: prepared, tool, options, client });
      if (typeof next !== 'object' || next === null)
        throw new TypeError(
          `Extension "${extension.id}": prepareToolCall() must return the params of the call.`,
        );
      prepared = next as CallToolParams;
    }
    return prepared;
  }

  knows(name: string): boolean {
    return this.#tools.has(name);
  }

  remember(tools: readonly Tool[]): void {
    for (const { name, annotations, execution } of tools) {
      const tool = { name, ...(annotations && { annotations }), ...(execution && { execution }) };
      this.#tools.set(name, tool, weigh(tool, heaviestTogether));
    }
  }

  forget(): void {
    this.#tools.clear();
  }
}
