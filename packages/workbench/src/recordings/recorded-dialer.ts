import type { Dialer } from '@tenon/mcp-client';
import { record } from '@tenon/mcp-testing/recordings';
import { WorkbenchError } from '../failures/workbench-error.js';
import { type RecorderOptions, Traffic } from './traffic.js';

/**
 * Returns the option `wrap` of `openServer` that records the messages of a client. An existing recording gets further connections.
 * @throws WorkbenchError `usage` if the file cannot be written, or is no recording.
 */
export function recordingWrap(file: string, options: RecorderOptions = {}): (dialer: Dialer) => Dialer {
  const traffic = openTraffic(file, { append: true, ...options });
  return (dialer) => record(dialer, traffic);
}

/** Opens a recording. @throws WorkbenchError `usage` */
export function openTraffic(file: string, options: RecorderOptions): Traffic {
  try {
    return new Traffic(file, options);
  } catch (cause) {
    throw fileFailure(file, cause);
  }
}

function fileFailure(file: string, cause: unknown): WorkbenchError {
  const problem = cause instanceof SyntaxError ? 'is not a recording' : 'cannot be written';
  return new WorkbenchError('usage', `${file} ${problem}: ${(cause as Error).message}`, { cause });
}
