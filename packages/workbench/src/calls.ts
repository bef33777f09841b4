export { type Answers, answersFrom, templateOf } from './calls/answers.js';
export {
  type Arguments,
  argumentProblems,
  argumentsOf,
  listedNames,
  missingArguments,
  missingArgumentsError,
  toolNamed,
  unknownName,
} from './calls/arguments.js';
export {
  type CallExpression,
  isCallExpression,
  parseCallExpression,
  splitCallee,
} from './calls/call-expression.js';
export {
  type ContentFile,
  extensionOf,
  fileOf,
  imageProtocol,
  inlineImage,
  sizeText,
} from './calls/content-files.js';
export { declarationsOf } from './calls/declarations.js';
export { choicesOf, isSecretField } from './calls/form-fields.js';
export { indented, typeOf } from './calls/schema-type.js';
export { type Parameter, signatureOf } from './calls/signature.js';
export { wrapped } from './calls/type-text.js';
export { readValue } from './calls/value-reader.js';
export { parseWordArgument, type WordArgument } from './calls/word-arguments.js';
