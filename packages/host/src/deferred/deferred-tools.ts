import type { JsonObject, Tool } from '@tenon/mcp-client';
import { visibleLine, visibleText } from '../models/formats/text/visible-text.js';
import type { ModelTool } from '../models/model-tool.js';
import { anthropicSearchName } from './native-deferral.js';
import { ToolIndex } from './tool-index.js';

const text = (description: string) => ({ type: 'string', description });

/** Finds deferred tools. */
const search: Tool = {
  name: 'search_tools',
  description:
    'Finds tools by what they do. Many tools are not listed: search before you say that something cannot be done. Returns names and short descriptions.',
  inputSchema: {
    type: 'object',
    properties: {
      query: text('Words of the task, such as "create calendar event".'),
      limit: { type: 'integer', description: 'Tools to return, 1 to 20. Default: 5.' },
    },
    required: ['query'],
  },
};

/** Returns the whole definition of a tool. */
const describe: Tool = {
  name: 'describe_tool',
  description:
    'Returns the description of a tool and the schema of its arguments. Read it before the first call of the tool.',
  inputSchema: {
    type: 'object',
    properties: { name: text('The name, as search_tools returned it.') },
    required: ['name'],
  },
};

/** Calls a tool that was found. */
const call: Tool = {
  name: 'call_tool',
  description: 'Calls a tool that search_tools found.',
  inputSchema: {
    type: 'object',
    properties: {
      name: text('The name, as search_tools returned it.'),
      arguments: { type: 'object', description: 'The arguments, by the schema of describe_tool.' },
    },
    required: ['name'],
  },
};

/** Returns the rest of a result that was cut. */
const readResult: Tool = {
  name: 'read_result',
  description: 'Returns a part of a result that was too long to be shown whole.',
  inputSchema: {
    type: 'object',
    properties: {
      uri: text('The URI that the cut result named.'),
      offset: { type: 'integer', description: 'Characters to leave out at the beginning. Default: 0.' },
    },
    required: ['uri'],
  },
};

/** The tools of the host itself. They do not depend on the servers, so a prompt cache stays valid, and every format can express their schemas. */
export const ownTools: Readonly<Record<'search' | 'describe' | 'call' | 'readResult', Tool>> = {
  search,
  describe,
  call,
  readResult,
};

/** True for the name of a tool of the host itself, or of the tool with which a model searches. */
export function isOwnTool(name: string): boolean {
  return name === anthropicSearchName || Object.values(ownTools).some((tool) => tool.name === name);
}

/** Tools that one search returns, at most. */
const most = { usual: 5, allowed: 20 };
/** Characters of a description in a list of tools. */
const shortDescription = 200;

/** A tool that may need a sign-in first. */
type DeferredTool = ModelTool & { readonly needsSignIn: boolean };

/** Answers `search_tools` and `describe_tool` for the tools of one catalogue. */
export class DeferredTools {
  readonly #tools: readonly DeferredTool[];
  #index: Promise<ToolIndex<DeferredTool>> | undefined;

  constructor(tools: readonly DeferredTool[]) {
    this.#tools = tools;
  }

  /** Returns the text for the model. */
  async search({ query, limit }: JsonObject): Promise<string> {
    if (typeof query !== 'string' || query.trim() === '')
      return 'Give a query, such as { "query": "create calendar event" }.';
    const count =
      typeof limit === 'number' && limit >= 1 ? Math.min(Math.floor(limit), most.allowed) : most.usual;
    this.#index ??= ToolIndex.of(this.#tools);
    const found = (await this.#index).find(query, count);
    if (found.length === 0) return `No tool fits. There are ${this.#tools.length} tools; try other words.`;
    return found.map(lineOf).join('\n');
  }

  /** Returns the text for the model; undefined if there is no such tool. */
  describe(name: unknown): string | undefined {
    const found = this.#tools.find((tool) => tool.name === name);
    if (found === undefined) return undefined;
    const { server, tool } = found;
    const { title, description, inputSchema } = tool;
    const shown = { name, server, ...(title !== undefined && { title }), description, inputSchema };
    return visibleText(JSON.stringify(shown, undefined, 1));
  }
}

function lineOf({ name, tool, needsSignIn }: DeferredTool): string {
  const { description = tool.title ?? '' } = tool;
  const short = visibleLine(description, shortDescription);
  return `${name}: ${short}${needsSignIn ? ' (the user has to sign in at its server first)' : ''}`;
}
