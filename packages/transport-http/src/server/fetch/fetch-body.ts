import { GatheredBytes } from '../../gathered-bytes.js';
import type { ByteHolder } from '../admission/byte-budget.js';
import type { TurnHolder } from '../admission/loop-turns.js';
import type { Traffic } from '../admission/traffic.js';
import { type Body, bodiesTooLarge, bodyTooLong } from '../call/http-call.js';

/** Settings for reading a body. */
export interface BodyReading {
  /** Byte limit of this body. */
  readonly limit: number;
  /** Counts the bytes of all incomplete bodies, and decides when a long one is handled. */
  readonly traffic: Pick<Traffic, 'bodies' | 'turns'>;
  /** The sender of the body. */
  readonly caller: TurnHolder;
}

/** Bytes of a body that are not counted: most bodies are this short, and arrive in one chunk. */
export const shortBody = 4_096;

/** Reads the whole body of a request. Rejects if the client disconnects first. */
export async function readFetchBody(request: Request, reading: BodyReading): Promise<Body> {
  const { limit, traffic, caller } = reading;
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > limit) return bodyTooLong(limit);
  const reader = request.body?.getReader();
  let holder: ByteHolder | undefined;
  let isCut = false;
  let gathered = new GatheredBytes(declared);
  const cut = () => {
    isCut = true;
    gathered = new GatheredBytes();
    // Ends the pending read.
    reader?.cancel().catch(() => undefined);
  };
  try {
    for (;;) {
      const chunk = await reader?.read();
      if (isCut) return bodiesTooLarge;
      if (chunk?.value === undefined) break;
      if (gathered.size + chunk.value.byteLength > limit) {
        reader?.cancel().catch(() => undefined);
        return bodyTooLong(limit);
      }
      gathered.add(chunk.value);
      if (gathered.size <= shortBody) continue;
      holder ??= traffic.bodies.holder(caller.remoteAddress, cut);
      holder.hold(gathered.capacity);
    }
    const { turns } = traffic;
    const { size } = gathered;
    if (turns.mustWait(caller, size)) await new Promise<void>((resolve) => turns.run(caller, size, resolve));
    else turns.run(caller, size, () => {});
    if (isCut) return bodiesTooLarge;
    return decoded(gathered.bytes);
  } finally {
    holder?.hold(0);
  }
}

function decoded(bytes: Uint8Array): Body {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { problem: { status: 400, reason: 'The body is not UTF-8.' } };
  }
}
