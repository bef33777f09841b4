export {
  defaultSteps,
  type InterpretedCheck,
  type InterpretOptions,
  interpret,
  type MeasureOptions,
  measure,
} from './interpreter/interpret.js';
export type { SchemaDialect } from './interpreter/keyword.js';
export { type Guarded, type LibraryGuard, libraryGuard } from './interpreter/library-guard.js';
export type { ValueIssue } from './interpreter/run.js';
export { type Verdict, type WeighOptions, weigh } from './interpreter/weigh.js';
