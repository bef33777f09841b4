export {
  isSameModule,
  isTypesModule,
  type TypesOptions,
  typesModule,
} from './generated-types/types-module.js';
