import { Buffer, isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { GatheredBytes } from '../gathered-bytes.js';
import type { ByteHolder } from '../server/admission/byte-budget.js';
import { type Body, bodiesTooLarge, bodyTooLong, readBefore } from '../server/call/http-call.js';
import { type BodyReading, shortBody } from '../server/fetch/fetch-body.js';

/** Reads the whole body of a request, then calls `take` once. Never calls `take` if the client disconnects first. */
export function readNodeBody(
  request: IncomingMessage,
  { limit, traffic, caller }: BodyReading,
  take: (body: Body) => void,
): void {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limit) {
    take(bodyTooLong(limit));
    return;
  }
  let gathered: GatheredBytes | undefined = new GatheredBytes(announced);
  let holder: ByteHolder | undefined;
  // The listeners hold the bytes, and the request object lives until its answer ends.
  const free = () => {
    gathered = undefined;
    holder?.hold(0);
    request.off('data', onData).off('end', onEnd);
  };
  const refuse = (body: Body) => {
    free();
    request.resume();
    take(body);
  };
  const onData = (chunk: Buffer) => {
    if (gathered === undefined) return;
    const size = gathered.size + chunk.length;
    if (size > limit) {
      refuse(bodyTooLong(limit));
      return;
    }
    gathered.add(chunk);
    if (size <= shortBody) return;
    if (holder === undefined) {
      holder = traffic.bodies.holder(caller.remoteAddress, () => refuse(bodiesTooLarge));
      request.once('close', free);
    }
    holder.hold(gathered.capacity);
  };
  const begin = () => {
    const bytes = gathered?.bytes;
    free();
    // A request that waited for its turn is not started if its connection has closed.
    if (bytes === undefined || request.socket?.destroyed) return;
    take(textOf(bytes));
  };
  const onEnd = () => {
    request.off('close', free);
    traffic.turns.run(caller, gathered?.size ?? 0, begin);
  };
  request.on('data', onData).on('end', onEnd);
  // A client that disconnects early is not an error; 'close' follows.
  request.on('error', ignore);
}

/**
 * Returns the body of a request that was read earlier, in the form its reader left: `express.json()` and similar middleware
 * leave a value, or a text or bytes, in `request.body`.
 */
export function parsedBefore(request: IncomingMessage & { readonly body?: unknown }, limit: number): Body {
  const { body, headers } = request;
  const size = typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : 0;
  if (Math.max(size, Number(headers['content-length'] ?? 0)) > limit) return bodyTooLong(limit);
  if (typeof body === 'string') return { text: body };
  if (body instanceof Uint8Array) return textOf(body);
  return body === undefined ? readBefore : { value: body };
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): Body {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return isUtf8(bytes)
    ? { text: bytes.toString('utf8') }
    : { problem: { status: 400, reason: 'The body is not UTF-8.' } };
}

function ignore(): void {}
