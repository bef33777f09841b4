import { Buffer, isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { GatheredBytes } from '../gathered-bytes.js';
import type { ByteHolder } from '../server/admission/byte-budget.js';
import { type Body, bodiesTooLarge, bodyTooLong } from '../server/endpoint/http-call.js';
import { type BodyReading, longBody, shortBody } from '../server/fetch/fetch-body.js';

/** Reads the body of a request whole, then calls `take` once; never when the client goes away first. */
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
  // What listens keeps the bytes, and the request stays as long as its answer takes.
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
    // What has waited for its turn on a connection that is closed is not begun.
    if (bytes === undefined || request.socket?.destroyed) return;
    if (bytes.length > longBody) traffic.turns.spend(caller.remoteAddress, bytes.length);
    take(textOf(bytes));
  };
  const onEnd = () => {
    request.off('close', free);
    traffic.turns.run(caller.remoteAddress, begin);
  };
  request.on('data', onData).on('end', onEnd);
  // A client that goes away in the middle is no error; 'close' follows.
  request.on('error', ignore);
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): Body {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return isUtf8(bytes)
    ? { text: bytes.toString('utf8') }
    : { flaw: { status: 400, reason: 'The body is not UTF-8.' } };
}

function ignore(): void {}
