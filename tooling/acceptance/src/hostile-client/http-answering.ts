import { expect } from 'vitest';
import { final, goodContent } from './liar.js';
import type { Posted } from './posted-liar.js';
import { isLightOnce } from './strain.js';
import type { Row, Seen } from './table.js';

/** Headers of an answer that is JSON. */
export const json: Record<string, string> = { 'content-type': 'application/json' };
/** Headers of one that is a stream of events. */
export const events: Record<string, string> = { 'content-type': 'text/event-stream' };
/** A result with nothing wrong. */
export const good = final({ content: goodContent });
/** The text of an answer to a call. */
export const answer = ({ message }: Posted, result: object = good) =>
  JSON.stringify({ jsonrpc: '2.0', id: message.id, result });
/** The call fails by its carrier. */
export const fails = (text: RegExp, status?: number): Seen => ({
  error: 'TransportError',
  text,
  ...(status && { why: status }),
});
/** The call gets the result with nothing wrong. */
export const isGood: Seen = { result: expect.objectContaining({ content: goodContent }) };

/** Calls the tool `bad`, which must not cost the event loop or the heap much. */
export const light: NonNullable<Row['act']> = async (stage) => {
  const call = stage.client.callTool('bad');
  await isLightOnce(() => call);
  return call;
};

/** Sends one character, as 64 MB or until nobody reads it any more. */
export function pour({ response }: Posted, headers: Record<string, string>, character: string): void {
  response.writeHead(200, headers);
  const chunk = character.repeat(65_536);
  let left = 1_024;
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left--;
      if (!response.write(chunk)) break;
    }
    if (left === 0) response.end();
  };
  response.on('drain', more);
  more();
}

/** One way to answer a call. */
export function answered(
  name: string,
  lie: (posted: Posted) => unknown,
  ...[sees, more]: readonly [sees: Seen, more?: Partial<Row>]
): Row {
  return { name, raw: { 'tools/call bad': lie }, over: ['http'], sees, ...more };
}

/** Answers with a status, whatever was asked. */
export const status =
  (code: number, headers: Record<string, string> = {}, body?: string | Buffer) =>
  ({ response }: Posted) =>
    response.writeHead(code, headers).end(body);
