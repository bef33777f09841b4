import { isRecord } from '@tenon/foundation';
import type MiniSearch from 'minisearch';
import type { ModelTool } from '../models/model-tool.js';

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly server: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: string;
}

/** Characters of a description that are indexed. */
const longestDescription = 2_000;
/** Characters of a query that are read. */
const longestQuery = 500;

/** Finds tools by words: BM25 over names, titles, descriptions and names of parameters. */
export class ToolIndex<Found extends ModelTool> {
  readonly #tools: ReadonlyMap<string, Found>;
  readonly #index: MiniSearch<Entry>;

  private constructor(tools: readonly Found[], index: MiniSearch<Entry>) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#index = index;
    index.addAll(tools.map(entryOf));
  }

  /** Returns the index of tools. Loads the search engine: most hosts never search. */
  static async of<Found extends ModelTool>(tools: readonly Found[]): Promise<ToolIndex<Found>> {
    const { default: MiniSearch } = await import('minisearch');
    const index = new MiniSearch<Entry>({
      fields: ['name', 'server', 'title', 'description', 'parameters'],
      tokenize: wordsOf,
      searchOptions: {
        boost: { name: 3, title: 2, server: 1.5 },
        prefix: (word) => word.length > 2,
        fuzzy: (word) => word.length > 4 && 0.2,
      },
    });
    return new ToolIndex(tools, index);
  }

  /** Returns the tools that fit a query best, the best first, at most `most` of them. The order depends on nothing but the tools and the query. */
  find(query: string, most: number): readonly Found[] {
    return this.#index
      .search(query.slice(0, longestQuery))
      .flatMap(({ id, score }) => {
        const tool = this.#tools.get(String(id));
        return tool === undefined ? [] : [{ tool, score }];
      })
      .sort((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1))
      .slice(0, most)
      .map(({ tool }) => tool);
  }
}

function entryOf({ name, server, tool }: ModelTool): Entry {
  const { title = '', description = '', inputSchema } = tool;
  const { properties } = inputSchema;
  const parameters = isRecord(properties) ? Object.keys(properties).slice(0, 100) : [];
  return {
    ...{ id: name, name: tool.name, server, title },
    description: description.slice(0, longestDescription),
    parameters: parameters.join(' '),
  };
}

/** Splits `readFile`, `read_file` and `read-file` into the same words. */
function wordsOf(text: string): string[] {
  return text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
