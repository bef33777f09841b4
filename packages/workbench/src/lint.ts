export { callTools, type PlannedCall, planCalls } from './lint/calls.js';
export { checkLimit, checkSeverity, type FailOn, type LintConfig, lintConfig } from './lint/config.js';
export { toGithub } from './lint/formats/github.js';
export { type SarifOptions, toSarif } from './lint/formats/sarif.js';
export { defaultLintLimits, type LintLimits } from './lint/limits.js';
export {
  findRule,
  type LintOptions,
  type LintReport,
  lint,
  type ToolCost,
} from './lint/lint.js';
export { Deviations, type ReadingOptions, readSubject } from './lint/read-subject.js';
export type { LintFinding, LintPlace, LintProblem, LintRule, LintSeverity } from './lint/rule.js';
export { rules as lintRules } from './lint/rules/all.js';
export { type DefinitionPlace, sourceFinder } from './lint/sources.js';
export type {
  Deviation,
  LintCall,
  LintSubject,
  ListMethod,
  ListReading,
  ListReadings,
} from './lint/subject.js';
