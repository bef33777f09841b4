export { ReplayError } from './recordings/playback.js';
export { type RecordOptions, record } from './recordings/record.js';
export { type Replay, type ReplayOptions, replay } from './recordings/replay.js';
export type { AcceptingServer } from './recordings/replayed-client.js';
