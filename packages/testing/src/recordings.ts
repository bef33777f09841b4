export type { Speaker } from './connections/tapped-connection.js';
export type { Comparison } from './recordings/comparison.js';
export { type Difference, ReplayError } from './recordings/playback.js';
export { record } from './recordings/record.js';
export { type RecordedMessage, readRecording } from './recordings/recording.js';
export {
  type ConnectionRecorder,
  type OpenRecording,
  type OpenRecordingOptions,
  openRecording,
  type RecordOptions,
} from './recordings/recording-file.js';
export { type Replay, type ReplayOptions, replay } from './recordings/replay.js';
export type { AcceptingServer } from './recordings/replayed-client.js';
