export { catalogChanges } from './differences/catalog-changes.js';
export {
  type ChangeDetail,
  type ChangeSubject,
  countChanges,
  type ServerChange,
} from './differences/change.js';
export {
  type ComparedSource,
  type CompareSourcesOptions,
  compareSources,
} from './differences/compared-source.js';
export { type SchemaDirection, schemaChanges } from './differences/schema-changes.js';
export {
  type ComparisonReport,
  compareWithRecording,
  type RecordingCompareOptions,
  type ReportedDifference,
} from './recordings/comparison.js';
export { type HttpProxy, type HttpProxyOptions, recordHttp } from './recordings/http-proxy.js';
export type { PassedMessage, RecorderOptions, RecordingSummary } from './recordings/recording-file.js';
export { recordingWrap } from './recordings/recording-file.js';
export {
  type ReplayedHttpServer,
  type ReplayedServerOptions,
  type ReplayOutcome,
  replayHttp,
  replayStdio,
} from './recordings/replayed-server.js';
export { recordStdio, type StdioProxyOptions, type StdioProxyOutcome } from './recordings/stdio-proxy.js';
