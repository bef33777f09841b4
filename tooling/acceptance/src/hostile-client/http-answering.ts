import { expect } from 'vitest';
import { final, goodContent } from './liar.js';
import type { Posted } from './posted-liar.js';
import { isLightOnce } from './strain.js';
import type { Row, Seen } from './table.js';

/** Headers of a JSON response. */
export const json: Record<string, string> = { 'content-type': 'application/json' };
/** Headers of an event stream. */
export const events: Record<string, string> = { 'content-type': 'text/event-stream' };
/** A valid result. */
export const good = final({ content: goodContent });
/** Returns the response to a call. */
export const answer = ({ message }: Posted, result: object = good) =>
  JSON.stringify({ jsonrpc: '2.0', id: message.id, result });
/** Expects the call to fail with a TransportError. */
export const fails = (text: RegExp, status?: number): Seen => ({
  error: 'TransportError',
  text,
  ...(status && { why: status }),
});
/** Expects the call to return the valid result. */
export const isGood: Seen = { result: expect.objectContaining({ content: goodContent }) };

/** Calls the tool `bad`, with bounds on event loop and heap. */
export const light: NonNullable<Row['act']> = async (stage) => {
  const call = stage.client.callTool('bad');
  await isLightOnce(() => call);
  return call;
};

/** Sends one character repeatedly, up to 64 MB or until the client stops reading. */
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

/** One row: a response to a call. */
export function answered(
  name: string,
  lie: (posted: Posted) => unknown,
  ...[sees, more]: readonly [sees: Seen, more?: Partial<Row>]
): Row {
  return { name, raw: { 'tools/call bad': lie }, over: ['http'], sees, ...more };
}

/** Responds to every request with a status. */
export const status =
  (code: number, headers: Record<string, string> = {}, body?: string | Buffer) =>
  ({ response }: Posted) =>
    response.writeHead(code, headers).end(body);
