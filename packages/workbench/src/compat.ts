export { type CompatOptions, compare } from './compat/compare.js';
export type {
  ClientFact,
  ClientFeatures,
  KnownClient,
  NameRule,
  SchemaCheck,
  TransportName,
} from './compat/known-client.js';
export { knownClients } from './compat/known-clients.js';
export type { ProbeOptions } from './compat/probe.js';
export {
  type ClientProblem,
  type ClientReport,
  type CompatArea,
  type CompatReport,
  compatAreas,
  type RevisionSummary,
} from './compat/report.js';
