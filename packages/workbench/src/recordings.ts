export { countChanges, type ServerChange } from './differences/change.js';
export { type ComparedSource, compareSources } from './differences/compared-source.js';
export {
  type ComparisonReport,
  compareWithRecording,
  type ReportedDifference,
} from './recordings/comparison.js';
export { recordHttp } from './recordings/http-proxy.js';
export type { PassedMessage, RecorderOptions, RecordingSummary } from './recordings/recording-file.js';
export { recordingWrap } from './recordings/recording-file.js';
export { type ReplayOutcome, replayHttp, replayStdio } from './recordings/replayed-server.js';
export { recordStdio } from './recordings/stdio-proxy.js';
