import type { SchemaObject } from '@tenon/mcp-protocol';
import { type ModelToolsOptions, modelTools } from '../src/models/formats/tool-definitions.js';
import type { ModelTool } from '../src/models/model-tool.js';

/** Returns a tool with an input schema. */
export function toolOf(inputSchema: SchemaObject, description = 'Does something.'): ModelTool {
  return { name: 'files__read', server: 'files', tool: { name: 'read', description, inputSchema } };
}

/** Returns the branch of a condition that holds. */
export function when(schema: SchemaObject): SchemaObject {
  return Object.fromEntries([['then', schema]]);
}

/** A tool as a format writes it. */
export interface Written {
  readonly name: string;
  readonly description: string;
  readonly schema: SchemaObject;
  readonly strict: boolean | undefined;
  readonly losses: readonly string[];
}

/** Writes one tool and reads it back, whatever the format. */
export function write(inputSchema: SchemaObject, options: ModelToolsOptions, description?: string): Written {
  const { tools, report } = modelTools([toolOf(inputSchema, description)], options);
  const [found] = Object.entries({ ...tools }).flatMap(([key, one]) =>
    'functionDeclarations' in one
      ? one.functionDeclarations
      : { name: key, ...one, ...('function' in one && one.function) },
  );
  const {
    name,
    description: text,
    strict,
    ...rest
  } = found as unknown as Written & { [key: string]: unknown };
  const schema = rest.input_schema ?? rest.parameters ?? rest.inputSchema ?? rest.parametersJsonSchema ?? {};
  return {
    name,
    description: text,
    schema: schema as SchemaObject,
    strict,
    losses: report.map((loss) => `${loss.path}:${loss.keyword}`),
  };
}

/** The schema of a tool that every format can express. */
export const simple = {
  type: 'object',
  properties: { path: { type: 'string', description: 'A path.' }, lines: { type: 'integer' } },
  required: ['path'],
} as const;
