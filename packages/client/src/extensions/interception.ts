import type { CallToolParams, InputResponse, Tool, UnknownObject } from '@tenon/mcp-protocol';
import type { CallPreparation, PreparedCall } from '../calls/call.js';
import { heaviestTogether, ToolStore, weigh } from '../calls/tool-store.js';
import type { InputInterception } from '../input/input-requests.js';
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
  const preparers = extensions.filter(
    ({ prepareToolCall, mayRepeat }) => (prepareToolCall ?? mayRepeat) !== undefined,
  );
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

  prepare(params: CallToolParams, { options, session }: PreparedCall): CallToolParams {
    let prepared = params;
    for (const extension of this.#extensions) {
      if (extension.prepareToolCall === undefined) continue;
      const client = this.#clientInUse(extension, session);
      if (client === undefined) continue;
      const tool = this.#tools.get(params.name);
      const next: unknown = extension.prepareToolCall({ params: prepared, tool, options, client });
      if (typeof next !== 'object' || next === null)
        throw new TypeError(
          `Extension "${extension.id}": prepareToolCall() must return the params of the call.`,
        );
      prepared = next as CallToolParams;
    }
    return prepared;
  }

  mayLackParams(params: CallToolParams, call: PreparedCall): boolean {
    return this.#some('mayLackParams', params, call);
  }

  mayRepeat(params: CallToolParams, call: PreparedCall): boolean {
    return this.#some('mayRepeat', params, call);
  }

  /** True if an extension that is in use decides so about a call. */
  #some(
    decision: 'mayLackParams' | 'mayRepeat',
    params: CallToolParams,
    { options, session }: PreparedCall,
  ): boolean {
    const tool = this.#tools.get(params.name);
    return this.#extensions.some((extension) => {
      const client = extension[decision] && this.#clientInUse(extension, session);
      return client !== undefined && extension[decision]?.({ params, tool, options, client }) === true;
    });
  }

  #clientInUse({ id }: ClientContributions, session: Session): ExtensionClient | undefined {
    const { all, clients } = this.#preparing;
    return all.settings(id, session) === undefined ? undefined : clients.get(id);
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

/** Returns the way of input requests through the extensions that answer some; undefined if no extension does. */
export function inputInterception(
  extensions: readonly ClientContributions[],
  clients: ReadonlyMap<string, ExtensionClient>,
): InputInterception | undefined {
  const interceptors = extensions.filter(({ interceptInput }) => interceptInput !== undefined);
  if (interceptors.length === 0) return undefined;
  return ({ method, params, signal: own }, handle) => {
    // The first extension is outermost.
    const from = async (index: number, signal: AbortSignal): Promise<UnknownObject> => {
      const extension = interceptors[index];
      if (extension === undefined) return handle(signal);
      const next = (other = signal) => from(index + 1, other) as Promise<object> as Promise<InputResponse>;
      const client = clients.get(extension.id);
      if (client?.settings === undefined) return from(index + 1, signal);
      const answer = await extension.interceptInput?.({ method, params, signal, client }, next);
      return answer as UnknownObject;
    };
    return from(0, own);
  };
}
