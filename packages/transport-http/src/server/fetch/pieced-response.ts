import { ConnectionTraffic, type Traffic } from '../admission/traffic.js';

/** Bytes of one chunk. */
const pieceSize = 65_536;

/** The status, headers and text of a long answer. */
export interface PiecedAnswer {
  readonly bytes: Uint8Array;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly remoteAddress: string | undefined;
}

/**
 * Makes a response that delivers its bytes no faster than they are read, so that unread bytes can be counted. The stream
 * fails if they stay unread too long, or are too many.
 * @throws TypeError or RangeError if the status or a header is invalid.
 */
export function piecedResponse(traffic: Traffic, answer: PiecedAnswer): Response {
  const { bytes, status, headers, remoteAddress } = answer;
  let rest: Uint8Array | undefined = bytes;
  const unread = { remoteAddress, waiting: () => rest?.byteLength ?? 0 };
  let cut = () => {};
  const connection = new ConnectionTraffic(traffic, () => cut());
  const count = (written: number) => connection.count(unread, written, Number.POSITIVE_INFINITY);
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        cut = () => {
          rest = undefined;
          controller.error(new Error('The client did not read the answer within the limits.'));
        };
      },
      pull: (controller) => {
        if (rest === undefined) return;
        controller.enqueue(rest.subarray(0, pieceSize));
        rest = rest.byteLength > pieceSize ? rest.subarray(pieceSize) : undefined;
        if (rest === undefined) controller.close();
        count(0);
      },
      cancel: () => {
        rest = undefined;
        connection.end();
      },
    },
    // No chunk is delivered before it is read.
    { highWaterMark: 0 },
  );
  const length = String(bytes.byteLength);
  const response = new Response(stream, { status, headers: { ...headers, 'content-length': length } });
  count(bytes.byteLength);
  return response;
}
