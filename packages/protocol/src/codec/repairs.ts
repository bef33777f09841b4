import { withoutControls } from '@tenon/foundation';
import { describeProblem } from '../json-rpc/check.js';
import { isObject } from '../json-rpc/json.js';
import type { LeniencyName } from './relax.js';
import type { Repair } from './revision.js';
import type { WireShape, Write } from './shape.js';

/** Property schemas that are true or false become objects: the handshake revisions require objects. */
export const withObjectProperties: Write = (schema) => {
  const properties = isObject(schema) ? schema.properties : undefined;
  if (!isObject(schema) || !isObject(properties)) return schema;
  const entries = Object.entries(properties);
  if (!entries.some(([, property]) => typeof property === 'boolean')) return schema;
  return {
    ...schema,
    properties: Object.fromEntries(entries.map(([name, property]) => [name, asObject(property)])),
  };
};

function asObject(schema: unknown): unknown {
  if (typeof schema !== 'boolean') return schema;
  return schema ? {} : { not: {} };
}

/** Reads a tool result without content as a result with empty content, or with the result of a draft of the protocol as text. */
export const emptyContent: Repair = (result) => {
  const old = result.toolResult ?? undefined;
  // Serializers that write every member write null for the one that is not there.
  const isWithout = result.content === undefined || (result.content === null && old !== undefined);
  if (!isWithout || result.task !== undefined) return undefined;
  if (old === undefined) return { value: { content: [], ...result }, allowance: { leniency: 'no-content' } };
  const text = typeof old === 'string' ? old : JSON.stringify(old);
  return { value: { ...result, content: [{ type: 'text', text }] }, allowance: { leniency: 'tool-result' } };
};

/** Reads an empty cursor as no cursor: servers of the handshake revisions end their lists with it. */
export const lastPage: Repair = (result) => {
  if (result.nextCursor !== '') return undefined;
  const { nextCursor: _, ...value } = result;
  return { value, allowance: { leniency: 'empty-cursor' } };
};

/** Reads property schemas that are true or false as the objects that mean the same. */
export const objectProperties: Repair = toolSchemas(
  'boolean-property',
  ['inputSchema', 'outputSchema'],
  withObjectProperties,
);

/** Reads schemas without a type as schemas of objects, which the arguments of a tool are. */
export const typedInputs: Repair = toolSchemas('untyped-schema', ['inputSchema'], withType);

/** Reads schemas without a type as schemas of objects, which arguments and structured content of the handshake revisions are. */
export const typedSchemas: Repair = toolSchemas('untyped-schema', ['inputSchema', 'outputSchema'], withType);

function withType(schema: unknown): unknown {
  return isObject(schema) && schema.type === undefined ? { type: 'object', ...schema } : schema;
}

function toolSchemas(
  leniency: LeniencyName,
  names: readonly string[],
  read: (schema: unknown) => unknown,
): Repair {
  return (result) => {
    if (!Array.isArray(result.tools)) return undefined;
    let found = false;
    const tools = result.tools.map((tool: unknown) => {
      if (!isObject(tool)) return tool;
      const repaired = { ...tool };
      for (const name of names) {
        if (tool[name] === undefined) continue;
        repaired[name] = read(tool[name]);
        found ||= repaired[name] !== tool[name];
      }
      return repaired;
    });
    return found ? { value: { ...result, tools }, allowance: { leniency } } : undefined;
  };
}

/** Drops the invalid members of a list. */
export function validItems(member: string, item: WireShape): Repair {
  return (result) => {
    const all = result[member];
    if (!Array.isArray(all)) return undefined;
    const reasons: string[] = [];
    let dropped = 0;
    const kept = all.filter((one) => {
      const problem = item.check(one);
      if (problem === undefined) return true;
      if (++dropped <= mostNames) reasons.push(`${nameOf(one)} (${describeProblem(problem, 'definition')})`);
      return false;
    });
    if (dropped === 0) return undefined;
    const more = dropped > mostNames ? ` and ${dropped - mostNames} more` : '';
    const detail = `Left out of ${member}: ${dropped} of ${all.length}: ${reasons.join(', ')}${more}.`;
    return { value: { ...result, [member]: kept }, allowance: { leniency: 'malformed-item', detail } };
  };
}

const mostNames = 5;
const longestName = 64;

function nameOf(item: unknown): string {
  const name = isObject(item) ? (item.name ?? item.uri ?? item.uriTemplate) : undefined;
  if (typeof name !== 'string') return 'one without a name';
  return JSON.stringify(withoutControls(name.slice(0, longestName)));
}
