import type { Headers } from './http-call.js';

/** Headers of every event stream. The last one disables buffering in proxies. */
export const streamHeaders: Headers = Object.freeze({
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
});

/** A comment that prevents proxies from closing a quiet stream. */
export const keepAliveText = ':\n\n';

/** Returns the text of an event with a message. Frames are JSON on one line. */
export function eventText(frame: string, id?: string): string {
  return id === undefined ? `data: ${frame}\n\n` : `id: ${id}\ndata: ${frame}\n\n`;
}

/** Returns the text of an event that only sets the id to resume from, and the wait in milliseconds. */
export function primingText(id: string, retry: number): string {
  return `id: ${id}\nretry: ${retry}\ndata: \n\n`;
}

/** Returns the text that sets the wait before resuming, in milliseconds. */
export function retryText(retry: number): string {
  return `retry: ${retry}\n\n`;
}
