import type { Client, Pages, Prompt, Resource, ResourceTemplate, Tool } from '@tenon/mcp-client';
import { definitionOf, digestOf } from '../access/digest.js';
import { isVisibleTo } from '../access/visibility.js';
import { isSignInError } from './quiet-auth.js';

/** A tool as its server listed it. */
export interface ListedTool {
  readonly tool: Tool;
  /** The SHA-256 of its definition without its name. */
  readonly digest: string;
}

/** The lists of one server, each in the order of names. */
export interface ServerLists {
  /** By name. */
  readonly tools: ReadonlyMap<string, ListedTool>;
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
  readonly templates: readonly ResourceTemplate[];
  /** The SHA-256 of all lists. */
  readonly digest: string;
}

export const noLists: ServerLists = {
  tools: new Map(),
  prompts: [],
  resources: [],
  templates: [],
  digest: '',
};

/** Items of one list that are kept, at most, and characters of the name of a tool. The rest is left out, and reported. */
const mostItems = 10_000;
const longestName = 1_024;

/**
 * Reads the lists that a server declares. A list that cannot be read is taken from `before`, and reported.
 * @param report - receives the errors of single lists.
 * @throws the error of a list that requires a sign-in, and of the tools if none are known.
 */
export async function readLists(
  client: Client,
  { before, signal, report }: ListReading,
): Promise<ServerLists> {
  const { tools, prompts, resources } = client.capabilities;
  const options = { signal };
  const read = async <Item extends object>(
    list: { readonly name: string; readonly isOffered: boolean; readonly before: readonly Item[] },
    pages: () => Pages<Item>,
  ): Promise<readonly Item[]> => {
    if (!list.isOffered) return [];
    try {
      const items = await pages().all();
      if (items.length <= mostItems) return items;
      report(new RangeError(`It lists ${items.length} ${list.name}; only ${mostItems} are used.`));
      return items.slice(0, mostItems);
    } catch (error) {
      signal.throwIfAborted();
      if (isSignInError(error) || (list.name === 'tools' && before === noLists)) throw error;
      report(error);
      return list.before;
    }
  };
  const [listed, offered, files, templates] = await Promise.all([
    read(
      {
        name: 'tools',
        isOffered: tools !== undefined,
        before: [...before.tools.values()].map(({ tool }) => tool),
      },
      () => client.tools(options),
    ),
    read({ name: 'prompts', isOffered: prompts !== undefined, before: before.prompts }, () =>
      client.prompts(options),
    ),
    read({ name: 'resources', isOffered: resources !== undefined, before: before.resources }, () =>
      client.resources(options),
    ),
    read({ name: 'resource templates', isOffered: resources !== undefined, before: before.templates }, () =>
      client.resourceTemplates(options),
    ),
  ]);
  const named = listed.filter(({ name }) => name.length <= longestName);
  if (named.length < listed.length)
    report(
      new RangeError(
        `It lists ${listed.length - named.length} tools with names of more than ${longestName} characters, which are left out.`,
      ),
    );
  const digested = await Promise.all(
    unique(named, ({ name }) => name).map(async (tool) => ({
      tool,
      digest: await digestOf(definitionOf(tool)),
    })),
  );
  const lists = {
    tools: new Map(digested.map((listed) => [listed.tool.name, listed])),
    prompts: unique(offered, ({ name }) => name),
    resources: unique(files, ({ uri }) => uri),
    templates: unique(templates, ({ uriTemplate }) => uriTemplate),
  };
  const identity = digested.map(({ tool, digest }) => [
    ...[tool.name, tool.title ?? '', digest],
    ...[isVisibleTo('model', tool), isVisibleTo('app', tool)],
  ]);
  return { ...lists, digest: await digestOf([identity, lists.prompts, lists.resources, lists.templates]) };
}

export interface ListReading {
  readonly before: ServerLists;
  readonly signal: AbortSignal;
  readonly report: (error: unknown) => void;
}

/** Returns the items in the order of their keys, the first one of each key: a server must not answer to one name with two tools. */
function unique<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const byKey = new Map<string, Item>();
  for (const item of items) if (!byKey.has(keyOf(item))) byKey.set(keyOf(item), item);
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}
