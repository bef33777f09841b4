import { describeProblem } from '../json-rpc/check.js';
import { withoutControls } from '../json-rpc/control-characters.js';
import { isObject } from '../json-rpc/json.js';
import { withObjectProperties } from './property-schemas.js';
import type { Repair } from './revision.js';
import type { WireShape } from './shape.js';

/** Reads a tool result without content as a result with empty content, or with the result of a draft of the protocol as text. */
export const emptyContent: Repair = (result) => {
  if (result.content !== undefined || result.task !== undefined) return undefined;
  const old = result.toolResult ?? undefined;
  if (old === undefined) return { value: { content: [], ...result }, allowance: { leniency: 'no-content' } };
  const text = typeof old === 'string' ? old : JSON.stringify(old);
  return { value: { content: [{ type: 'text', text }], ...result }, allowance: { leniency: 'tool-result' } };
};

/** Reads an empty cursor as no cursor: servers of the handshake revisions end their lists with it. */
export const lastPage: Repair = (result) => {
  if (result.nextCursor !== '') return undefined;
  const { nextCursor: _, ...value } = result;
  return { value, allowance: { leniency: 'empty-cursor' } };
};

/** Reads property schemas that are true or false as the objects that mean the same. */
export const objectProperties: Repair = (result) => {
  if (!Array.isArray(result.tools)) return undefined;
  let found = false;
  const tools = result.tools.map((tool: unknown) => {
    if (!isObject(tool)) return tool;
    const read = { ...tool };
    for (const name of ['inputSchema', 'outputSchema']) {
      if (tool[name] === undefined) continue;
      read[name] = withObjectProperties(tool[name]);
      found ||= read[name] !== tool[name];
    }
    return read;
  });
  return found ? { value: { ...result, tools }, allowance: { leniency: 'boolean-property' } } : undefined;
};

/** Drops the invalid members of a list. */
export function validItems(member: string, item: WireShape): Repair {
  return (result) => {
    const all = result[member];
    if (!Array.isArray(all)) return undefined;
    const dropped: unknown[] = [];
    const kept = all.filter((one) => item.check(one) === undefined || !dropped.push(one));
    const [first] = dropped;
    const problem = dropped.length === 0 ? undefined : item.check(first);
    if (problem === undefined) return undefined;
    const names = dropped.slice(0, mostNames).map(nameOf).join(', ');
    const more = dropped.length > mostNames ? ' and others' : '';
    const detail = `Left out of ${member}: ${dropped.length} of ${all.length}: ${names}${more}. The first: ${describeProblem(problem, 'its definition')}.`;
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
