import type { SchemaObject, Tool } from '@tenon/mcp-protocol';
import type { ModelTool } from '../model-tool.js';
import { type ModelFormat, requireFormat } from './model-format.js';
import {
  anthropic,
  anthropicStrict,
  type Dialect,
  gemini,
  openai,
  openaiStrict,
} from './schemas/dialects.js';
import { NotStrict } from './schemas/narrow-schema.js';
import type { Loss, Schema } from './schemas/rewriting.js';
import {
  AnthropicQuota,
  openaiLimitProblem,
  type StrictCosts,
  strictCosts,
} from './schemas/strict-limits.js';
import { type ToolSchema, toolSchema } from './schemas/tool-schema.js';
import { shortened, visibleText } from './text/visible-text.js';

/** A tool as the Messages API of Anthropic expects it. */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: SchemaObject & { readonly type: 'object' };
  readonly strict?: true;
}

/** A tool as Chat Completions of OpenAI, and compatible servers, expect it. */
export interface OpenAiTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: SchemaObject;
    readonly strict: boolean;
  };
}

/** A tool as the Responses API of OpenAI expects it. */
export interface OpenAiResponsesTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: SchemaObject;
  readonly strict: boolean;
}

/** Tools as Gemini expects them. A tool without parameters has no schema. */
export interface GeminiTools {
  readonly functionDeclarations: {
    readonly name: string;
    readonly description: string;
    readonly parametersJsonSchema?: SchemaObject;
  }[];
}

/** The data of a tool for the AI SDK: `tool({ ...it, inputSchema: jsonSchema(it.inputSchema) })`. */
export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: SchemaObject;
  readonly strict?: true;
}

/** The tools of each format. Lists are not `readonly`, as the libraries of the providers expect. */
export interface FormattedTools {
  readonly anthropic: AnthropicTool[];
  readonly openai: OpenAiTool[];
  readonly 'openai-responses': OpenAiResponsesTool[];
  readonly gemini: GeminiTools[];
  readonly 'ai-sdk': Record<string, AiSdkTool>;
}

/** Something about a tool that a format cannot express. */
export interface ToolLoss {
  /** The name of the tool for the model. */
  readonly tool: string;
  /** A JSON Pointer into the input schema of the tool; empty for its root, and for the tool itself. */
  readonly path: string;
  /** The keyword of the schema, `description` of the tool, or `strict`. */
  readonly keyword: string;
  /** Sentences about the part that the model does not see, and the reason. */
  readonly what: string;
}

/** Options of {@link modelTools}. */
export interface ModelToolsOptions<Format extends ModelFormat = ModelFormat> {
  readonly for: Format;
  /**
   * True to have the model send only arguments that match the schema, where the provider can enforce it (all but Gemini). A tool with
   * a schema for free-form values stays without strict mode, and so do tools above the limits of a provider. The report names both.
   * Default: false.
   */
  readonly strict?: boolean;
}

/** The result of {@link modelTools}. */
export interface ModelToolsResult<Format extends ModelFormat = ModelFormat> {
  /** In the order of the list. The schemas are shared between calls: do not change them. */
  readonly tools: FormattedTools[Format];
  /** The parts of definitions that the model does not see. Empty if nothing is lost. */
  readonly report: readonly ToolLoss[];
}

/** The most tools of one list. */
const mostTools = 10_000;
/** UTF-16 code units of the description of a tool. */
const longestDescription = 10_000;

/**
 * Returns tools as the API of a model expects them, with schemas rewritten for the keywords that it accepts. The same tools have the same
 * result, byte for byte, so prompt caches stay valid; a definition is rewritten once. Pass the arguments of calls through
 * {@link restoreArguments} before they go to the server.
 * @throws TypeError for an unknown format; RangeError for more than 10,000 tools, or two tools of one name.
 */
export function modelTools<Format extends ModelFormat>(
  tools: readonly ModelTool[],
  options: ModelToolsOptions<Format>,
): ModelToolsResult<Format> {
  const { strict = false } = options;
  requireFormat('modelTools', options.for);
  requireTools(tools);
  const format: ModelFormat = options.for;
  const quota = new AnthropicQuota();
  const report: ToolLoss[] = [];
  const written = tools.map(({ name, tool }): WrittenTool => {
    const definition = definitionFor(tool, { format, strict, quota });
    const description = shortened(definition.text, longestDescription);
    for (const loss of definition.losses) report.push({ tool: name, ...loss });
    if (description !== definition.text) report.push({ tool: name, ...cutDescription });
    return { name, description, schema: definition.schema, isStrict: definition.isStrict };
  });
  return { tools: writers[format](written) as FormattedTools[Format], report };
}

function requireTools(tools: readonly ModelTool[]): void {
  if (tools.length > mostTools)
    throw new RangeError(
      `modelTools: ${tools.length} tools are more than ${mostTools}. Offer fewer, or let the model search.`,
    );
  const names = new Set<string>();
  for (const { name } of tools) {
    if (names.has(name)) throw new RangeError(`modelTools: two tools have the name ${JSON.stringify(name)}`);
    names.add(name);
  }
}

const cutDescription: Loss = {
  path: '',
  keyword: 'description',
  what: `The description of the tool is longer than ${longestDescription} characters. The model sees its beginning.`,
};

interface WrittenTool {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  readonly isStrict: boolean;
}

const writers: {
  readonly [Format in ModelFormat]: (tools: readonly WrittenTool[]) => FormattedTools[Format];
} = {
  anthropic: (tools) =>
    tools.map(({ name, description, schema, isStrict }) => ({
      name,
      description,
      input_schema: { ...schema, type: 'object' as const },
      ...(isStrict && { strict: true as const }),
    })),
  openai: (tools) =>
    tools.map(({ name, description, schema, isStrict }) => ({
      type: 'function',
      function: { name, description, parameters: schema, strict: isStrict },
    })),
  // Without `strict: false` the Responses API would make every member required:
  // https://developers.openai.com/api/docs/guides/function-calling#strict-mode.
  'openai-responses': (tools) =>
    tools.map(({ name, description, schema, isStrict }) => ({
      type: 'function',
      name,
      description,
      parameters: schema,
      strict: isStrict,
    })),
  gemini: (tools) =>
    tools.length === 0
      ? []
      : [
          {
            functionDeclarations: tools.map(({ name, description, schema }) => ({
              name,
              description,
              ...(hasMembers(schema) && { parametersJsonSchema: schema }),
            })),
          },
        ],
  'ai-sdk': (tools) =>
    Object.fromEntries(
      tools.map(({ name, description, schema, isStrict }) => [
        name,
        { description, inputSchema: schema, ...(isStrict && { strict: true as const }) },
      ]),
    ),
};

function hasMembers({ properties, additionalProperties }: Schema): boolean {
  return Object.keys(properties as Schema).length > 0 || (additionalProperties ?? false) !== false;
}

/** The definition of a tool in a dialect. */
interface Definition {
  /** The description of the tool, with what the schema no longer says. */
  readonly text: string;
  readonly schema: Schema;
  readonly losses: readonly Loss[];
  readonly isStrict: boolean;
  readonly costs?: StrictCosts;
}

interface Wanted {
  readonly format: ModelFormat;
  readonly strict: boolean;
  readonly quota: AnthropicQuota;
}

const dialects: { readonly [Format in ModelFormat]: readonly [loose: Dialect, strict?: Dialect] } = {
  anthropic: [anthropic, anthropicStrict],
  openai: [openai, openaiStrict],
  'openai-responses': [openai, openaiStrict],
  gemini: [gemini],
  // The provider is not known: its strict mode is at most as wide as that of OpenAI, mostly.
  'ai-sdk': [openai, openaiStrict],
};

function definitionFor(tool: Tool, { format, strict, quota }: Wanted): Definition {
  const [loose, strictDialect] = dialects[format];
  if (!strict || strictDialect === undefined) return definitionOf(tool, loose, undefined);
  const definition = definitionOf(tool, strictDialect, loose);
  if (definition.costs === undefined || format !== 'anthropic' || quota.admits(definition.costs))
    return definition;
  const without = definitionOf(tool, loose, undefined);
  const why = 'the strict tools before it use up what Anthropic allows in one request';
  return { ...without, losses: [...without.losses, notStrict('', why)] };
}

const known = new WeakMap<Tool, Map<Dialect, Definition>>();

function definitionOf(tool: Tool, dialect: Dialect, loose: Dialect | undefined): Definition {
  const own = known.get(tool) ?? new Map<Dialect, Definition>();
  known.set(tool, own);
  let definition = own.get(dialect);
  if (definition === undefined) {
    definition = rewrittenFor(tool, dialect, loose);
    own.set(dialect, definition);
  }
  return definition;
}

function rewrittenFor(tool: Tool, dialect: Dialect, loose: Dialect | undefined): Definition {
  if (loose === undefined) return defined(tool, toolSchema(tool.inputSchema, dialect));
  try {
    const found = toolSchema(tool.inputSchema, dialect);
    const costs = strictCosts(found.schema);
    const problem = dialect === openaiStrict ? openaiLimitProblem(costs) : undefined;
    if (problem !== undefined) throw new NotStrict('', problem);
    return { ...defined(tool, found), isStrict: true, costs };
  } catch (error) {
    if (!(error instanceof NotStrict)) throw error;
    const without = definitionOf(tool, loose, undefined);
    return { ...without, losses: [...without.losses, notStrict(error.path, error.message)] };
  }
}

function defined(tool: Tool, { schema, sentences, losses }: ToolSchema): Definition {
  const text = [visibleText(tool.description ?? tool.title ?? ''), ...sentences].filter(Boolean).join('\n\n');
  return { text, schema, losses, isStrict: false };
}

function notStrict(path: string, why: string): Loss {
  return { path, keyword: 'strict', what: `The tool is sent without strict mode: ${why}.` };
}
