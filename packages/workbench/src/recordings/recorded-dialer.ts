import type { Dialer } from '@tenon/mcp-client';
import { record } from '@tenon/mcp-testing/recordings';
import { type RecorderOptions, Traffic } from './traffic.js';

/**
 * Returns the option `wrap` of `openServer` that records the messages of a client. An existing recording gets further connections.
 * @throws WorkbenchError `usage` if the file cannot be written, or is no recording.
 */
export function recordingWrap(file: string, options: RecorderOptions = {}): (dialer: Dialer) => Dialer {
  const traffic = new Traffic(file, { append: true, isShared: true, ...options });
  return (dialer) => record(dialer, traffic);
}
