import {
  aRecord,
  aString,
  define,
  notNull,
  type ObjectShape,
  openObject,
  type Parts,
  plain,
  type WireShape,
} from '../../codec/shape.js';
import { oneOf, rootProblem } from '../../json-rpc/check.js';
import { toolAnnotations } from '../2025-03-26/revision.js';
import { definitionMembers } from './content.js';

const emptyList = rootProblem('expected an object');

/** Not checked here, but where the schema is compiled: only an empty list stands for an empty object. */
const properties: WireShape = {
  ...aRecord,
  check: (value) => (Array.isArray(value) && value.length === 0 ? emptyList : notNull.check(value)),
};

const schemaMembers: Parts = { $schema: aString, properties, required: notNull };

export const tool: ObjectShape = define(
  { name: aString, inputSchema: openObject({ type: plain(oneOf('object')) }, schemaMembers) },
  {
    ...definitionMembers,
    outputSchema: openObject({}, schemaMembers),
    annotations: toolAnnotations,
  },
  ['execution'],
);
