export { isObject, type UnknownObject } from './structure/json.js';
export {
  addSchemaTarget,
  noSchemaTargets,
  pointerKeys,
  resolveReference,
  type SchemaTargets,
} from './structure/references.js';
export { isSmall, lightness, quickLibraries, type Smallness } from './structure/size.js';
export { type Subschema, subschemas } from './structure/subschemas.js';
