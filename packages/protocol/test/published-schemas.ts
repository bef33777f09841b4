// Support for the tests beside it: reads the structure of the published JSON Schemas. The suffix keeps it out of the package.
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject, type UnknownObject } from '../src/json-rpc/json.js';

/** Reads a file that `fixtures/make.js` has made. */
export function readFixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8'));
}

/** One message of a published schema: its method and where its parts stand. */
export interface PublishedMessage {
  readonly method: string;
  readonly params: string | undefined;
  readonly paramsRequired: boolean;
  /** Absent for notifications. */
  readonly result?: string;
}

/** One published schema, with its validator. */
export interface Published {
  readonly definitions: UnknownObject;
  /** Pointer of the definitions, such as `#/$defs/`. */
  readonly prefix: string;
  /** The schema a pointer leads to, `$ref` followed. */
  at(pointer: string): UnknownObject;
  /** True when the value fits the schema a pointer leads to. */
  accepts(pointer: string, value: unknown): boolean;
  /** The reason the last value was refused. */
  why(pointer: string): string;
  /** The messages of a union such as `ClientRequest`; none when there is no such union. */
  messages(union: string): readonly PublishedMessage[];
}

function asObject(value: unknown): UnknownObject {
  if (!isObject(value)) throw new TypeError('The schema is not of the form these tests know.');
  return value;
}

function step(node: unknown, key: string): unknown {
  return Array.isArray(node) ? node[Number(key)] : asObject(node)[key];
}

/** Reads the schema of one revision. */
export function published(id: string): Published {
  const root = asObject(readFixture(id));
  const inDefs = root.$defs !== undefined;
  const prefix = inDefs ? '#/$defs/' : '#/definitions/';
  const definitions = asObject(inDefs ? root.$defs : root.definitions);
  const options = { strict: false, validateFormats: false };
  const ajv = inDefs ? new Ajv2020(options) : new Ajv(options);
  ajv.addSchema(root, 'spec');

  const follow = (node: UnknownObject): UnknownObject =>
    typeof node.$ref === 'string' ? at(node.$ref) : node;
  const at = (pointer: string): UnknownObject =>
    follow(asObject(pointer.slice(2).split('/').reduce<unknown>(step, root)));
  const validate = (pointer: string) => {
    const found = ajv.getSchema(`spec${pointer}`);
    if (found === undefined) throw new TypeError(`No schema at ${pointer}.`);
    return found;
  };
  const message = (name: string): PublishedMessage => {
    const pointer = prefix + name;
    const properties = asObject(at(pointer).properties);
    const result = `${name.slice(0, -'Request'.length)}Result`;
    const required = at(pointer).required;
    return {
      method: String(asObject(properties.method).const),
      params: properties.params === undefined ? undefined : `${pointer}/properties/params`,
      paramsRequired: Array.isArray(required) && required.includes('params'),
      // What has no result of its own has the empty one.
      ...(name.endsWith('Request') && {
        result: prefix + (definitions[result] === undefined ? 'EmptyResult' : result),
      }),
    };
  };
  const members = (node: UnknownObject): readonly string[] => {
    const refs = Array.isArray(node.anyOf) ? node.anyOf : [node];
    return refs.map((ref) => String(asObject(ref).$ref ?? '').slice(prefix.length));
  };
  return {
    definitions,
    prefix,
    at,
    accepts: (pointer, value) => validate(pointer)(value) === true,
    why: (pointer) => ajv.errorsText(validate(pointer).errors),
    messages: (union) => {
      const node = definitions[union];
      if (node === undefined) return [];
      const own = asObject(asObject(node).properties ?? {});
      return own.method === undefined ? members(asObject(node)).map(message) : [message(union)];
    },
  };
}
