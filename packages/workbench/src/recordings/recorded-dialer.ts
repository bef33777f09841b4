import type { Dialer } from '@tenon/mcp-client';
import { record } from '@tenon/mcp-testing/recordings';
import { withFile } from './file-failure.js';
import { type RecorderOptions, Traffic } from './traffic.js';

/**
 * Returns the option `wrap` of `openServer` that records the messages of a client. An existing recording gets further connections.
 * @throws WorkbenchError `usage` if the file cannot be written, or is no recording.
 */
export function recordingWrap(file: string, options: RecorderOptions = {}): (dialer: Dialer) => Dialer {
  const traffic = openTraffic(file, { append: true, ...options });
  return (dialer) => record(dialer, traffic);
}

/** Opens a recording to write. @throws WorkbenchError `usage` */
export function openTraffic(file: string, options: RecorderOptions): Traffic {
  return withFile(file, () => new Traffic(file, options));
}
