import { object, string, token } from '../../check.js';
import type { Implementation } from '../../features/annotations.js';
import type { LogLevel } from '../../features/logging.js';
import { isObject, type UnknownObject } from '../../json.js';
import { MetaKey } from '../../meta.js';
import type { Codec, RequestStamp } from '../../revision.js';
import { clientCapabilities } from './capabilities.js';
import { level } from './logging.js';
import { implementation } from './metadata.js';

// Stamps and implementations live as long as their owner, so what they look like on the wire is made once.
const stamps = new WeakMap<RequestStamp, UnknownObject>();
const signatures = new WeakMap<Implementation, UnknownObject>();

function stampOf(stamp: RequestStamp, id: string): UnknownObject {
  const known = stamps.get(stamp);
  if (known !== undefined) return known;
  const { clientInfo, logLevel } = stamp;
  const meta: UnknownObject = Object.freeze({
    [MetaKey.protocolVersion]: id,
    [MetaKey.clientCapabilities]: clientCapabilities.write(stamp.clientCapabilities),
    ...(clientInfo && { [MetaKey.clientInfo]: implementation.write(clientInfo) }),
    ...(logLevel && { [MetaKey.logLevel]: logLevel }),
  });
  stamps.set(stamp, meta);
  return meta;
}

function signatureOf(by: Implementation): UnknownObject {
  const known = signatures.get(by);
  if (known !== undefined) return known;
  const meta: UnknownObject = Object.freeze({ [MetaKey.serverInfo]: implementation.write(by) });
  signatures.set(by, meta);
  return meta;
}

function merged(meta: unknown, added: UnknownObject): UnknownObject {
  // A spread of both costs eight times as much.
  return isObject(meta) ? Object.assign({}, meta, added) : added;
}

/** `_meta` of a result without its sender; undefined when nothing else was in it. */
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

const stampCheck = object({
  _meta: object(
    { [MetaKey.protocolVersion]: string, [MetaKey.clientCapabilities]: clientCapabilities.check },
    { [MetaKey.clientInfo]: implementation.check, [MetaKey.logLevel]: level.check, progressToken: token },
  ),
});

/** Every request says who sends it and every result says who answers. */
export function statelessCodec(id: string): Codec {
  return {
    stampRequest(params, stamp) {
      // A member added after a spread costs ten times as much as one named before it.
      const stamped: Record<string, unknown> = { _meta: undefined, ...params };
      stamped._meta = merged(params._meta, stampOf(stamp, id));
      return stamped;
    },
    stampResult: (result, by) => ({
      resultType: 'complete',
      ...result,
      _meta: merged(result._meta, signatureOf(by)),
    }),
    stamp: stampCheck,
    readStamp: ({ _meta }) => (isObject(_meta) ? readStamp(_meta) : undefined),
    unstampResult(result) {
      const { resultType, _meta, ...bare }: Record<string, unknown> = result;
      // Who answers is what discovery asks for, so its results stay signed.
      const meta = isObject(_meta) && bare.supportedVersions === undefined ? unsigned(_meta) : _meta;
      if (meta !== undefined) bare._meta = meta;
      if (resultType === 'input_required') bare.resultType = resultType;
      return bare;
    },
  };
}
