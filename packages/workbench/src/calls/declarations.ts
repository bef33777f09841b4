import { typeOf } from './schema-type.js';
import { isIdentifier } from './type-text.js';

/** The longest beginning of a name. */
const longestName = 100;

const builtIn = ['Record', 'Array', 'Object', 'String', 'Number', 'Boolean'];

/** Names of types that have been given, so that each is given once. */
export class TypeNames {
  /** Grows with each name. */
  readonly taken: Set<string>;

  /** The last number of each beginning and ending: many names of a server may differ by characters that types do not have. */
  readonly #numbers = new Map<string, number>();

  /** @param taken - names that must not be given. */
  constructor(taken: readonly string[] = []) {
    this.taken = new Set([...builtIn, ...taken]);
  }

  /** Returns a name that is made of a text of the server, such as `GetUserInput` of `get_user` and `Input`. It is not taken yet. */
  nameFor(text: string, ending = ''): string {
    const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
    const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    const short = joined.slice(0, longestName);
    const base = isIdentifier(short) ? short : `${ending === '' ? 'Type' : 'Tool'}${short}`;
    const common = `${base} ${ending}`;
    let number = this.#numbers.get(common) ?? 1;
    let name = number === 1 ? `${base}${ending}` : `${base}${number}${ending}`;
    while (this.taken.has(name)) name = `${base}${++number}${ending}`;
    this.#numbers.set(common, number);
    this.taken.add(name);
    return name;
  }
}

/**
 * Returns a JSON Schema as TypeScript: `export type NAME = ...;`, and one more type for each target of a `$ref`, so that schemas
 * that contain themselves are complete.
 * @param name - the name of the type: an identifier that begins with an upper-case letter.
 */
export function declarationsOf(name: string, schema: unknown, given: TypeNames = new TypeNames()): string {
  given.taken.add(name);
  const names = new Map<unknown, string>([[schema, name]]);
  const nameOf = (target: unknown, reference: string): string => {
    const known = names.get(target) ?? given.nameFor(reference.split(/[/#]/).at(-1) ?? '');
    names.set(target, known);
    return known;
  };
  const declared: string[] = [];
  // The map grows while it is read.
  for (const [target, type] of names)
    declared.push(`export type ${type} = ${typeOf(target, { root: schema, layout: 'block', nameOf })};`);
  return declared.join('\n\n');
}
