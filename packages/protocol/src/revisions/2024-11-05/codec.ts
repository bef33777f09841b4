import { anything } from '../../check.js';
import type { Codec } from '../../revision.js';

/** Messages of the handshake revisions say nothing of their sender. */
export const handshakeCodec: Codec = {
  stampRequest: (params) => params,
  resultText: (result) => JSON.stringify(result),
  stamp: anything,
  readStamp: () => undefined,
  unstampResult: (result) => result,
};
