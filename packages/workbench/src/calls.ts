export {
  type Answers,
  type AnswersOptions,
  answersFrom,
  samplingMessage,
  templateOf,
} from './calls/answers.js';
export {
  type ArgumentSources,
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
  type Callee,
  isCallExpression,
  parseCallExpression,
  splitCallee,
} from './calls/call-expression.js';
export {
  type ContentFile,
  extensionOf,
  fileOf,
  type ImageProtocol,
  imageProtocol,
  inlineImage,
  sizeText,
} from './calls/content-files.js';
export { declarationsOf } from './calls/declarations.js';
export { type Choice, choicesOf, isSecretField } from './calls/form-fields.js';
export { type TypeOptions, typeOf } from './calls/schema-type.js';
export {
  type Parameter,
  parametersOf,
  type Signature,
  type SignatureOptions,
  signatureOf,
  signatureText,
} from './calls/signature.js';
export { wrapped } from './calls/type-text.js';
export { readValue } from './calls/value-reader.js';
export { parseWordArgument, type ReadFile, type WordArgument } from './calls/word-arguments.js';
