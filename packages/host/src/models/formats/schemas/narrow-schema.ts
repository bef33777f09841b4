import { shortened } from '../text/visible-text.js';
import type { NarrowDialect } from './dialects.js';
import { intersection } from './intersection.js';
import { isAnnotation } from './keywords.js';
import { nullable } from './nullable.js';
import { describe, inside, type Rewriting, type Schema, typeFrom, typesOf } from './rewriting.js';
import { isImpossible, propertiesOf, requiredOf, unitedObject } from './united-objects.js';
import { oneTypeEach, withoutStrayKeywords, withTypes } from './value-types.js';

/** Thrown if a schema allows values that strict mode cannot describe, such as objects with any member. */
export class NotStrict extends Error {
  override readonly name = 'NotStrict';
  readonly path: string;

  constructor(path: string, why: string) {
    super(why);
    this.path = path;
  }
}

/**
 * Returns a schema with the keywords of a narrow dialect only. What the dialect cannot say goes to the description, as far as it is
 * short, and to the losses.
 * @throws NotStrict if the dialect is strict and the schema allows values that it cannot name.
 */
export function narrowSchema(root: Schema, dialect: NarrowDialect, rewriting: Rewriting): Schema {
  const { $defs, ...own } = root;
  const narrowing = new Narrowing(dialect, rewriting);
  const schema = narrowing.schema(own, '');
  if ($defs === undefined) return schema;
  const definitions = Object.entries($defs as { readonly [name: string]: Schema });
  return {
    ...schema,
    $defs: Object.fromEntries(
      definitions.map(([name, one]) => [name, narrowing.schema(one, inside('', '$defs', name))]),
    ),
  };
}

class Narrowing {
  readonly #dialect: NarrowDialect;
  readonly #rewriting: Rewriting;

  constructor(dialect: NarrowDialect, rewriting: Rewriting) {
    this.#dialect = dialect;
    this.#rewriting = rewriting;
  }

  schema(given: Schema, path: string): Schema {
    this.#rewriting.count();
    if (given.$ref !== undefined) return referenceOf(given);
    const combined = this.#withoutConditions(this.#withoutAllOf(given, path), path);
    const either = this.#united(combined, path);
    if (either.anyOf !== undefined) return this.#union(either, path);
    const valued = this.#withValues(either, path);
    const split = valued.anyOf === undefined ? oneTypeEach(valued) : valued;
    if (split !== undefined) return this.#union(split, path);
    return this.#ofOneType(withoutStrayKeywords(withTypes(valued)), path);
  }

  #keeps(keyword: string): boolean {
    return this.#dialect.keywords.has(keyword);
  }

  #withoutAllOf(schema: Schema, path: string): Schema {
    let rest = schema;
    while (Array.isArray(rest.allOf)) {
      const { allOf, ...own } = rest;
      rest = (allOf as Schema[]).reduce(
        (both, one) => intersection(both, one, { rewriting: this.#rewriting, path }),
        own,
      );
    }
    return rest;
  }

  /** Members that a condition adds become optional members, so that the model can send them. */
  #withoutConditions(schema: Schema, path: string): Schema {
    const conditional = [
      schema.then,
      schema.else,
      ...Object.values((schema.dependentSchemas ?? {}) as Schema),
    ];
    const members = propertiesOf(schema);
    const before = members.size;
    for (const one of conditional)
      for (const [name, member] of one === undefined ? [] : propertiesOf(one as Schema))
        if (!members.has(name)) members.set(name, member);
    if (members.size === before) return schema;
    this.#rewriting.lose(
      path,
      schema.if === undefined ? 'dependentSchemas' : 'if',
      'The format has no conditions. The members that a condition adds are optional members.',
    );
    return { ...schema, properties: Object.fromEntries(members) };
  }

  /** Returns a schema with `anyOf` and annotations only, or without `anyOf`. */
  #united(schema: Schema, path: string): Schema {
    const { oneOf, ...rest } = schema;
    const one: Schema = oneOf !== undefined && rest.anyOf === undefined ? { ...rest, anyOf: oneOf } : schema;
    if (one.anyOf === undefined) return one;
    if (one !== schema)
      this.#rewriting.lose(
        path,
        'oneOf',
        'The format has `anyOf` in place of `oneOf`: more than one branch may match.',
      );
    const spot = { rewriting: this.#rewriting, path };
    if (one.properties !== undefined || one.oneOf !== undefined) {
      const { schema: united, sentences } = unitedObject(one, spot);
      const whole = { ...united };
      for (const sentence of sentences) describe(whole, sentence);
      return whole;
    }
    const base = Object.entries(one).filter(([keyword]) => keyword !== 'anyOf' && !isAnnotation(keyword));
    if (base.length === 0) return one;
    const annotations = Object.entries(one).filter(([keyword]) => isAnnotation(keyword));
    return {
      ...Object.fromEntries(annotations),
      anyOf: (one.anyOf as Schema[]).map((branch) => intersection(branch, Object.fromEntries(base), spot)),
    };
  }

  #union(schema: Schema, path: string): Schema {
    const { anyOf, ...annotations } = schema;
    const branches = (anyOf as Schema[])
      .map((branch, index) => ({ branch, path: inside(path, 'anyOf', String(index)) }))
      .filter(({ branch }) => !isImpossible(branch))
      .map((one) => this.schema(one.branch, one.path));
    const [only, ...others] = branches;
    const rest = this.#kept(annotations, path);
    if (only === undefined) {
      if (this.#dialect.isStrict) throw new NotStrict(path, 'no value matches the schema');
      this.#rewriting.lose(path, 'anyOf', 'No value matches the schema. The model sees a free-form value.');
      return rest;
    }
    return others.length === 0 ? { ...only, ...rest } : { ...rest, anyOf: branches };
  }

  #withValues(schema: Schema, path: string): Schema {
    const { const: value, ...rest } = schema;
    const isKept = value === undefined || (this.#keeps('const') && this.#dialect.isValue(value));
    if (isKept && schema.enum === undefined) return schema;
    const one = withTypes(isKept ? schema : { ...rest, enum: [value] });
    const values = one.enum as readonly unknown[];
    // A list with null is either one without it or null.
    const named = values.filter((value) => value !== null || this.#dialect.isValue(null));
    if (named.length > 0 && named.every(this.#dialect.isValue)) {
      if (named.length === values.length) return one;
      const all = Object.entries(one);
      const rest = Object.fromEntries(all.filter(([keyword]) => !isAnnotation(keyword)));
      const types = typesOf(one).filter((type) => type !== 'null');
      return {
        ...Object.fromEntries(all.filter(([keyword]) => isAnnotation(keyword))),
        anyOf: [{ ...rest, type: typeFrom(types), enum: named }, { type: 'null' }],
      };
    }
    const { enum: _, ...free } = one;
    this.#rewriting.lose(
      path,
      'enum',
      'The format does not allow values of this type in `enum`. The description lists them.',
    );
    describe(
      free,
      `One of ${shortened(values.map((value) => JSON.stringify(value)).join(', '), longestValue)}.`,
    );
    return free;
  }

  #ofOneType(schema: Schema, path: string): Schema {
    const types = typesOf(schema);
    const isTuple = Array.isArray(schema.prefixItems) && !this.#keeps('prefixItems');
    const kept = this.#kept(isTuple ? this.#withoutTuple(schema, path) : schema, path);
    if (this.#dialect.isStrict && kept.type === undefined && kept.const === undefined)
      throw new NotStrict(path, 'any value is allowed there');
    if (types.includes('array')) this.#list(kept, path);
    return types.includes('object') ? this.#object(kept, schema, path) : kept;
  }

  #object(kept: Schema, given: Schema, path: string): Schema {
    const { isStrict, requiresAll } = this.#dialect;
    if (isStrict) this.#requireClosed(given, path);
    const { properties: _, required: __, additionalProperties: more, ...rest } = kept;
    const mandatory = new Set(requiredOf(given));
    const members = [...propertiesOf(given)].filter(([, member]) => !isImpossible(member));
    const written = members.map(([name, member]): [string, Schema] => {
      const schema = this.schema(member, inside(path, 'properties', name));
      return [name, requiresAll && !mandatory.has(name) ? nullable(schema) : schema];
    });
    // A required member that is not among the properties is rejected.
    const required = written.map(([name]) => name).filter((name) => requiresAll || mandatory.has(name));
    const others =
      typeof more === 'object' ? this.schema(more as Schema, inside(path, 'additionalProperties')) : more;
    return {
      ...rest,
      ...((isStrict || written.length > 0 || given.properties !== undefined) && {
        properties: Object.fromEntries(written),
      }),
      ...((isStrict || required.length > 0) && { required }),
      ...((isStrict || others !== undefined) && { additionalProperties: isStrict ? false : others }),
    };
  }

  #requireClosed(given: Schema, path: string): void {
    const { additionalProperties: more, properties = {}, patternProperties } = given;
    if ((typeof more === 'object' && !isImpossible(more as Schema)) || patternProperties !== undefined)
      throw new NotStrict(path, 'the names of the members are free there');
    const isEmpty = Object.keys(properties as Schema).length === 0;
    if (isEmpty && more !== false && (path !== '' || more === true))
      throw new NotStrict(path, 'an object with any members is allowed there');
    if (more === true)
      this.#rewriting.lose(
        path,
        'additionalProperties',
        'In strict mode the model can send the named members only.',
      );
  }

  #list(kept: Schema, path: string): void {
    if (Array.isArray(kept.prefixItems))
      kept.prefixItems = (kept.prefixItems as Schema[]).map((one, index) =>
        this.schema(one, inside(path, 'prefixItems', String(index))),
      );
    if (kept.items !== undefined) kept.items = this.schema(kept.items as Schema, inside(path, 'items'));
    else if (this.#dialect.isStrict) throw new NotStrict(path, 'the items of the list are free there');
    else if (kept.prefixItems === undefined) kept.items = {};
  }

  /** A list with a form for each position becomes a list of as many items, each of any of the forms. */
  #withoutTuple(schema: Schema, path: string): Schema {
    const { prefixItems, items, ...rest } = schema;
    const forms = prefixItems as Schema[];
    const isOpen = items !== undefined && !isImpossible(items as Schema);
    this.#rewriting.lose(
      path,
      'prefixItems',
      'The format has no lists with a form for each position. The model sends as many items, each of any of the forms.',
    );
    const list: Schema = {
      ...rest,
      items: { anyOf: isOpen ? [...forms, items as Schema] : forms },
      ...(rest.minItems === undefined && !isOpen && { minItems: forms.length }),
      ...(rest.maxItems === undefined && !isOpen && { maxItems: forms.length }),
    };
    const titles = forms.map((form, index) => `${index + 1}: ${nameOf(form)}`);
    describe(list, shortened(`The items in their order: ${titles.join(', ')}.`, longestValue));
    return list;
  }

  /** Returns the keywords of the dialect. The others go to the description and to the losses. */
  #kept(schema: Schema, path: string): Schema {
    const kept: Schema = {};
    const said: string[] = [];
    const after: string[] = [];
    for (const [keyword, value] of Object.entries(schema)) {
      if (value === undefined) continue;
      if (this.#allows(keyword, value)) kept[keyword] = value;
      else if (keyword === 'default') after.push(`Default: ${valueText(value)}.`);
      else if (keyword === 'examples') after.push(`Examples: ${valueText(value)}.`);
      else if (handled.has(keyword)) continue;
      else {
        const isShort = typeof value !== 'object';
        if (isShort) said.push(`${keyword} ${valueText(value)}`);
        this.#rewriting.lose(
          path,
          keyword,
          `The format does not allow this \`${keyword}\`. ${isShort ? 'The description states it.' : 'The model does not see it.'}`,
        );
      }
    }
    if (said.length > 0) describe(kept, `Constraints: ${said.join(', ')}.`);
    for (const sentence of after) describe(kept, sentence);
    return kept;
  }

  #allows(keyword: string, value: unknown): boolean {
    if (!this.#keeps(keyword)) return false;
    const { formats, mostMinItems = Number.POSITIVE_INFINITY } = this.#dialect;
    if (keyword === 'format') return formats.has(value as string);
    if (keyword === 'minItems') return (value as number) <= mostMinItems;
    return keyword !== 'pattern' || !hasLookaround.test(value as string);
  }
}

/** Grammars cannot look around and back: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas. */
const hasLookaround = /\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</;
/** Keywords that were expressed by others before the rest is dropped. */
const handled: ReadonlySet<string> = new Set(['if', 'then', 'else', 'dependentSchemas']);
const longestValue = 500;

function valueText(value: unknown): string {
  return shortened(typeof value === 'string' ? value : JSON.stringify(value), longestValue);
}

/** Beside a reference, strict formats allow nothing. */
function referenceOf(schema: Schema): Schema {
  const { $ref, title, description } = schema;
  const beside = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
  return Object.keys(beside).length === 0 ? { $ref } : { ...beside, anyOf: [{ $ref }] };
}

function nameOf(form: Schema): string {
  return String(form.title ?? form.description ?? typeFrom(typesOf(form)) ?? 'a value');
}
