import type { Codec, RequestStamp } from '../../codec/revision.js';
import { aString, aToken, define } from '../../codec/shape.js';
import { isObject, type UnknownObject } from '../../json-rpc/json.js';
import { MetaKey } from '../../json-rpc/meta.js';
import type { Implementation } from '../../model/annotations.js';
import type { LogLevel } from '../../model/logging.js';
import { level } from '../2024-11-05/logging.js';
import { implementation } from '../2025-11-25/content.js';
import { clientCapabilities as capabilities } from './discovery.js';

function writeStamp({ clientCapabilities, clientInfo, logLevel }: RequestStamp, id: string): UnknownObject {
  return {
    [MetaKey.protocolVersion]: id,
    [MetaKey.clientCapabilities]: capabilities.write(clientCapabilities),
    ...(clientInfo && { [MetaKey.clientInfo]: implementation.write(clientInfo) }),
    ...(logLevel && { [MetaKey.logLevel]: logLevel }),
  };
}

/** The server info as a member of `_meta`, and the beginning of a result with no other `_meta`. */
interface Signature {
  readonly meta: UnknownObject;
  readonly head: string;
}

function writeSignature(by: Implementation): Signature {
  const meta = { [MetaKey.serverInfo]: implementation.write(by) };
  return { meta, head: `{"resultType":"complete","_meta":${JSON.stringify(meta)}` };
}

function signedText(result: UnknownObject, { meta, head }: Signature): string {
  if (result.resultType !== undefined || result._meta !== undefined) {
    return JSON.stringify({ resultType: 'complete', ...result, _meta: merged(result._meta, meta) });
  }
  // The beginning of such results is text already: writing it each time costs as much as the rest of a short result.
  const text = JSON.stringify(result);
  if (!text.startsWith('{')) throw new TypeError('A result must be an object in JSON too.');
  return text === '{}' ? `${head}}` : `${head},${text.slice(1)}`;
}

/** Stamps and implementations live as long as their owner, so their wire form is created once. */
function writtenOnce<T extends object, Written extends object>(
  write: (value: T) => Written,
): (value: T) => Written {
  const known = new WeakMap<T, Written>();
  return (value) => {
    let written = known.get(value);
    if (written === undefined) {
      written = Object.freeze(write(value));
      known.set(value, written);
    }
    return written;
  };
}

function merged(meta: unknown, added: UnknownObject): UnknownObject {
  // A spread of both costs eight times as much.
  return isObject(meta) ? Object.assign({}, meta, added) : added;
}

/** `_meta` of a result without the server info; undefined if nothing else was in it. */
function unsigned(meta: UnknownObject): UnknownObject | undefined {
  for (const key in meta) {
    if (key === MetaKey.serverInfo) continue;
    const { [MetaKey.serverInfo]: _, ...rest } = meta;
    return rest;
  }
  return undefined;
}

// Values are of their types: the check has passed.
function readStamp(meta: UnknownObject): RequestStamp {
  const stamp = { clientCapabilities: meta[MetaKey.clientCapabilities] } as {
    -readonly [K in keyof RequestStamp]: RequestStamp[K];
  };
  const clientInfo = meta[MetaKey.clientInfo];
  const logLevel = meta[MetaKey.logLevel];
  if (clientInfo !== undefined) stamp.clientInfo = clientInfo as Implementation;
  if (logLevel !== undefined) stamp.logLevel = logLevel as LogLevel;
  return stamp;
}

const stamped = define({
  _meta: define(
    { [MetaKey.protocolVersion]: aString, [MetaKey.clientCapabilities]: capabilities },
    { [MetaKey.clientInfo]: implementation, [MetaKey.logLevel]: level, progressToken: aToken },
  ),
});

/** Every request has the client info and every result the server info. */
export function statelessCodec(id: string): Codec {
  const stampOf = writtenOnce((stamp: RequestStamp) => writeStamp(stamp, id));
  const signatureOf = writtenOnce(writeSignature);
  return {
    stampRequest(params, stamp) {
      // A member added after a spread costs ten times as much as one named before it.
      const out: Record<string, unknown> = { _meta: undefined, ...params };
      out._meta = merged(params._meta, stampOf(stamp));
      return out;
    },
    resultText: (result, by) => signedText(result, signatureOf(by)),
    get stamp() {
      return stamped.check;
    },
    get relaxStamp() {
      return stamped.relax;
    },
    readStamp: ({ _meta }) => (isObject(_meta) ? readStamp(_meta) : undefined),
    unstampResult(result) {
      const { resultType, _meta, ...bare }: Record<string, unknown> = result;
      // The server info is the content of discovery results, so it stays in them.
      const meta = isObject(_meta) && bare.supportedVersions === undefined ? unsigned(_meta) : _meta;
      if (meta !== undefined) bare._meta = meta;
      // Those that are not known here did not pass the check of the result.
      if (resultType !== undefined && resultType !== 'complete') bare.resultType = resultType;
      return bare;
    },
  };
}
