export {
  type ConformanceOptions,
  type ConformanceReport,
  type ConformanceSelection,
  checkConformance,
} from './conformance/check-conformance.js';
export type { SuiteChoice, SuiteProgram } from './conformance/suite-program.js';
export type { ScenarioOutcome, ScenarioStatus } from './conformance/suite-results.js';
