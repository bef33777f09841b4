import { ConnectionTraffic, type Traffic } from '../admission/traffic.js';

/** Bytes of one piece. */
const pieceSize = 65_536;

/** What a long answer is made of. */
export interface PiecedAnswer {
  readonly bytes: Uint8Array;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly remoteAddress: string | undefined;
}

/**
 * A response whose bytes are handed over no faster than they are read, so that those which wait can be counted. The stream
 * fails where they wait too long, or are too many.
 * @throws TypeError or RangeError for a status or header that cannot be.
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
          controller.error(new Error('The client does not read.'));
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
    // Nothing is handed over before it is read.
    { highWaterMark: 0 },
  );
  const length = String(bytes.byteLength);
  const response = new Response(stream, { status, headers: { ...headers, 'content-length': length } });
  count(bytes.byteLength);
  return response;
}
