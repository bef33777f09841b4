import type { Headers } from '../endpoint/http-call.js';

/** Headers of every event stream. The last one asks proxies in front not to hold events back. */
export const streamHeaders: Headers = Object.freeze({
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
});

/** A comment: it says nothing and keeps what is in between from closing a quiet stream. */
export const keepAliveText = ':\n\n';

/** The text of an event that carries a message. Frames are JSON on one line. */
export function eventText(frame: string, id?: string): string {
  return id === undefined ? `data: ${frame}\n\n` : `id: ${id}\ndata: ${frame}\n\n`;
}

/** The text of an event that only says where the stream can be taken up, and after how many milliseconds. */
export function primingText(id: string, retry: number): string {
  return `id: ${id}\nretry: ${retry}\ndata: \n\n`;
}

/** The text that says after how many milliseconds to come back. */
export function retryText(retry: number): string {
  return `retry: ${retry}\n\n`;
}
