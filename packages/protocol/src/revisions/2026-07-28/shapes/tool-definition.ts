import { object, oneOf, string } from '../../../json-rpc/check.js';
import { aBoolean, aString, type Definition, define, plain } from '../../shape.js';
import { definitionMembers } from './metadata.js';

const toolAnnotations = define(
  {},
  {
    title: aString,
    readOnlyHint: aBoolean,
    destructiveHint: aBoolean,
    idempotentHint: aBoolean,
    openWorldHint: aBoolean,
  },
);

export const tool: Definition = define(
  { name: aString, inputSchema: plain(object({ type: oneOf('object') }, { $schema: string })) },
  {
    ...definitionMembers,
    outputSchema: plain(object({}, { $schema: string })),
    annotations: toolAnnotations,
  },
);
