import {
  addSchemaTarget,
  isObject,
  noSchemaTargets,
  resolveReference,
  type SchemaTargets,
  subschemas,
  type UnknownObject,
} from '@tenon/json-schema/structure';
import { visibleLine } from '../text/visible-text.js';
import { intersection } from './intersection.js';
import { copiedKeyword, isAnnotation, keywordOrder } from './keywords.js';
import { modernKeywords } from './modern-keywords.js';
import { inside, type Rewriting, type Schema, SchemaTooLarge, schemaBounds, typesOf } from './rewriting.js';

/**
 * The treatment of references. `cut`: targets are copied, and a schema inside itself becomes a free-form value. `recursive`: targets are
 * copied, but a schema inside itself stays a reference. `shared`: all stay references.
 */
export type References = 'cut' | 'recursive' | 'shared';

/**
 * Returns a copy of a schema in the terms of 2020-12: with known keywords in an order that does not change, texts that people can
 * read, references as asked, and all definitions that are still needed in `$defs`.
 * @throws SchemaTooLarge
 */
export function plainSchema(root: UnknownObject, terms: Terms, rewriting: Rewriting): Schema {
  return new PlainCopy(root, terms, rewriting).document();
}

/** The differences between formats apart from their keywords. */
export interface Terms {
  readonly references: References;
  /** Returns the name of a member of objects for the model. */
  readonly nameOf: (name: string) => string;
}

interface Place {
  readonly path: string;
  readonly depth: number;
  /** True for the root, and for the schemas that `allOf`, `anyOf` and `oneOf` combine with it. */
  readonly isRoot: boolean;
}

class PlainCopy {
  readonly #root: UnknownObject;
  readonly #terms: Terms;
  readonly #rewriting: Rewriting;
  readonly #targets: SchemaTargets = noSchemaTargets();
  readonly #bases = new Map<unknown, string>();
  /** The schemas around the one that is being copied. */
  readonly #active = new Set<unknown>();
  /** The names of targets that stay definitions, in the order of their first reference. */
  readonly #names = new Map<UnknownObject, string>();
  #copied = 0;

  constructor(root: UnknownObject, terms: Terms, rewriting: Rewriting) {
    this.#root = root;
    this.#terms = terms;
    this.#rewriting = rewriting;
    this.#findTargets();
  }

  document(): Schema {
    const root = this.#copy(this.#root, { path: '', depth: 0, isRoot: true });
    const definitions = new Map<string, Schema>();
    // Definitions may refer to further ones: the map grows during the loop.
    for (const [target, name] of this.#names)
      definitions.set(name, this.#copy(target, { path: inside('', '$defs', name), depth: 2, isRoot: false }));
    return definitions.size === 0 ? root : { ...root, $defs: Object.fromEntries(definitions) };
  }

  #findTargets(): void {
    const open: { readonly schema: UnknownObject; readonly base: string | undefined }[] = [
      { schema: this.#root, base: undefined },
    ];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (this.#bases.has(next.schema)) continue;
      if (this.#bases.size > schemaBounds.schemas) throw new SchemaTooLarge('too many schemas');
      const base = addSchemaTarget(this.#targets, next.schema, next.base);
      this.#bases.set(next.schema, base);
      for (const { schema } of subschemas(next.schema)) if (isObject(schema)) open.push({ schema, base });
    }
  }

  #copy(schema: unknown, place: Place): Schema {
    if (++this.#copied > schemaBounds.schemas) throw new SchemaTooLarge('too many schemas');
    if (schema === true) return {};
    if (schema === false) return { not: {} };
    if (!isObject(schema)) {
      this.#rewriting.lose(place.path, '', 'The schema is malformed. The model sees a free-form value.');
      return {};
    }
    if (place.depth > schemaBounds.depth) {
      this.#rewriting.lose(
        place.path,
        '',
        `The schema is nested in more than ${schemaBounds.depth} levels. The model sees a free-form value.`,
      );
      return {};
    }
    const isOuter = !this.#active.has(schema);
    this.#active.add(schema);
    const copy = this.#withReference(schema, place);
    if (isOuter) this.#active.delete(schema);
    return copy;
  }

  #withReference(schema: UnknownObject, place: Place): Schema {
    const own = this.#keywords(modernKeywords(schema), place);
    const reference = schema.$ref ?? schema.$dynamicRef ?? schema.$recursiveRef;
    if (typeof reference !== 'string') return own;
    const target = this.#referenced(reference, this.#bases.get(schema), place);
    const asserts = Object.keys(own).some((keyword) => !isAnnotation(keyword));
    if (!asserts) return { ...target, ...own };
    return intersection(own, target, { rewriting: this.#rewriting, path: place.path });
  }

  #referenced(reference: string, base: string | undefined, place: Place): Schema {
    const result = resolveReference(this.#targets, reference, base ?? this.#bases.get(this.#root) ?? '');
    if (typeof result === 'string') {
      this.#rewriting.lose(
        place.path,
        '$ref',
        `The schema has nothing at ${visibleLine(reference, 200)}${result === 'remote' ? ', and nothing is fetched' : ''}. The model sees a free-form value.`,
      );
      return {};
    }
    const { found } = result;
    if (!isObject(found)) return this.#copy(found, { ...place, depth: place.depth + 1 });
    const { references } = this.#terms;
    const isInside = this.#active.has(found);
    const staysReference =
      references === 'shared' || (references === 'recursive' && (isInside || this.#names.has(found)));
    if (staysReference && !place.isRoot) return { $ref: `#/$defs/${this.#nameOf(found, reference)}` };
    if (isInside) return this.#cut(found, place);
    return this.#copy(found, { ...place, depth: place.depth + 1 });
  }

  #cut(target: UnknownObject, { path }: Place): Schema {
    this.#rewriting.lose(
      path,
      '$ref',
      'The schema contains itself, which the format does not allow. The model sees a free-form value here.',
    );
    const [type, ...others] = typesOf(target);
    return {
      ...(type !== undefined && others.length === 0 && { type }),
      description: 'Has the same form as a value around it.',
    };
  }

  #nameOf(target: UnknownObject, reference: string): string {
    const known = this.#names.get(target);
    if (known !== undefined) return known;
    const last = /[^/#]*$/.exec(reference)?.[0] ?? '';
    const start = last.replace(/[^A-Za-z0-9_]/g, '_').slice(0, 40) || 'root';
    const used = new Set(this.#names.values());
    let name = start;
    for (let number = 2; used.has(name); number++) name = `${start}_${number}`;
    this.#names.set(target, name);
    return name;
  }

  #keywords(schema: UnknownObject, place: Place): Schema {
    const copy: Schema = {};
    for (const keyword of keywordOrder) {
      const value = schema[keyword];
      if (value === undefined || (value === null && keyword !== 'const' && keyword !== 'default')) continue;
      const copied = copiedKeyword(keyword, value, {
        path: place.path,
        rewriting: this.#rewriting,
        nameOf: this.#terms.nameOf,
        copy: (inner, keys, isCombined) =>
          this.#copy(inner, {
            path: inside(place.path, ...keys),
            depth: place.depth + 1,
            isRoot: place.isRoot && isCombined,
          }),
      });
      if (copied !== undefined) copy[keyword] = copied;
    }
    return copy;
  }
}
