export { type CompareOptions, compare } from './compat/compare.js';
export type {
  ClientFeatures,
  Fact,
  KnownClient,
  NameRule,
  SchemaCheck,
  TransportName,
} from './compat/known-client.js';
export { knownClients } from './compat/known-clients.js';
export type { ProbeOptions } from './compat/probe.js';
export {
  type Area,
  areas,
  type ClientProblem,
  type ClientReport,
  type CompatReport,
  type RevisionSummary,
} from './compat/report.js';
