import type { Codec } from '../../codec/revision.js';
import { anything } from '../../json-rpc/check.js';

/** Messages of the handshake revisions have no client info. */
export const handshakeCodec: Codec = {
  stampRequest: (params) => params,
  resultText: (result) => JSON.stringify(result),
  stamp: anything,
  readStamp: () => undefined,
  unstampResult: (result) => result,
};
