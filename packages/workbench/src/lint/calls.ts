import { isObject } from '@tenon/json-schema/structure';
import type { Client, SchemaObject } from '@tenon/mcp-client';
import { RemoteError, SessionError } from '@tenon/mcp-protocol';
import type { Catalog } from '../catalog/catalog.js';
import { WorkbenchError } from '../failures/workbench-error.js';
import type { LintCall } from './rules/subject.js';

/** A call that `tenon lint --call` makes. */
type PlannedCall = Pick<LintCall, 'tool' | 'arguments'>;

/**
 * Returns the calls of read-only tools: with the given arguments, otherwise with those that the examples, defaults and allowed values
 * of a schema give. Tools for which there are none are left out.
 * @param given - the arguments of tools by name, or lists of them.
 * @throws WorkbenchError `usage` if arguments are given for a tool that is unknown or not read-only.
 */
export function planCalls(
  { tools }: Catalog,
  given: Readonly<Record<string, unknown>> = {},
): readonly PlannedCall[] {
  const callable = new Map(
    tools
      .filter(({ annotations }) => annotations?.readOnlyHint === true && annotations.destructiveHint !== true)
      .map((tool) => [tool.name, tool]),
  );
  for (const name of Object.keys(given)) {
    if (callable.has(name)) continue;
    const isKnown = tools.some((tool) => tool.name === name);
    throw new WorkbenchError(
      'usage',
      isKnown ? `The tool "${name}" has no "readOnlyHint".` : `The server has no tool "${name}".`,
      { hint: 'Lint calls only tools with "readOnlyHint": true. Correct the file of --calls.' },
    );
  }
  return [...callable.values()].flatMap((tool) => {
    const own = Object.hasOwn(given, tool.name) ? given[tool.name] : exampleOf(tool.inputSchema);
    const list = Array.isArray(own) ? own : [own];
    return list.filter(isObject).map((one) => ({ tool: tool.name, arguments: one }));
  });
}

/** Returns arguments that the schema itself names, with all required ones; undefined if one is missing. */
function exampleOf({ examples, properties, required }: SchemaObject): object | undefined {
  if (Array.isArray(examples) && isObject(examples[0])) return examples[0];
  const found: Record<string, unknown> = {};
  for (const name of Array.isArray(required) ? required : []) {
    const schema: unknown = isObject(properties) ? properties[name] : undefined;
    const [value] = isObject(schema) ? valuesOf(schema) : [];
    if (value === undefined) return undefined;
    found[name] = value;
  }
  return found;
}

function valuesOf({ examples, default: preset, const: only, enum: allowed }: SchemaObject): unknown[] {
  const [example] = Array.isArray(examples) ? examples : [];
  const [first] = Array.isArray(allowed) ? allowed : [];
  return [example, preset, only, first].filter((value) => value !== undefined);
}

/**
 * Makes the calls, one after the other.
 * @throws the errors of a connection that is lost.
 */
export async function callTools(
  client: Client,
  calls: readonly PlannedCall[],
  options: { readonly signal?: AbortSignal } = {},
): Promise<readonly LintCall[]> {
  // The client checks results once it knows the schemas.
  await client.tools(options).all();
  const records: LintCall[] = [];
  for (const call of calls) records.push({ ...call, ...(await outcomeOf(client, call, options)) });
  return records;
}

async function outcomeOf(
  client: Client,
  { tool, arguments: args }: PlannedCall,
  options: { readonly signal?: AbortSignal },
): Promise<Omit<LintCall, keyof PlannedCall>> {
  try {
    const { content, structuredContent, isError } = await client.callTool(tool, args, options);
    return { result: { content, isError, ...(structuredContent !== undefined && { structuredContent }) } };
  } catch (error) {
    if (error instanceof RemoteError) return { protocolError: `${error.message} (${error.code}).` };
    if (error instanceof SessionError && error.reason === 'invalid-answer') return { invalid: error.message };
    if (error instanceof SessionError && error.reason === 'timeout') return { protocolError: error.message };
    throw error;
  }
}
