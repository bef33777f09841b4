import { typeOf } from './schema-type.js';
import { isIdentifier } from './type-text.js';

/**
 * Returns a JSON Schema as TypeScript: `export type NAME = ...;`, and one more type for each target of a `$ref`, so that schemas
 * that contain themselves are complete.
 * @param name - the name of the type: an identifier that begins with an upper-case letter.
 * @param taken - names that are used already; the new ones are added.
 */
export function declarationsOf(name: string, schema: unknown, taken: Set<string> = new Set()): string {
  taken.add(name);
  const names = new Map<unknown, string>([[schema, name]]);
  const numbers = new Map<string, number>();
  const nameOf = (target: unknown, reference: string): string => {
    const known = names.get(target);
    if (known !== undefined) return known;
    const fresh = freeName(reference, taken, numbers);
    taken.add(fresh);
    names.set(target, fresh);
    return fresh;
  };
  const declared: string[] = [];
  // The map grows while it is read.
  for (const [target, type] of names)
    declared.push(`export type ${type} = ${typeOf(target, { root: schema, layout: 'block', nameOf })};`);
  return declared.join('\n\n');
}

/** @param numbers - the last number of each beginning, which grows. */
function freeName(reference: string, taken: ReadonlySet<string>, numbers: Map<string, number>): string {
  const last = reference.split(/[/#]/).at(-1) ?? '';
  const words = last.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const base = isIdentifier(joined) ? joined : `Type${joined}`;
  let number = numbers.get(base) ?? 1;
  let name = number === 1 ? base : `${base}${number}`;
  while (taken.has(name) || builtIn.has(name)) name = `${base}${++number}`;
  numbers.set(base, number);
  return name;
}

const builtIn: ReadonlySet<string> = new Set(['Record', 'Array', 'Object', 'String', 'Number', 'Boolean']);
