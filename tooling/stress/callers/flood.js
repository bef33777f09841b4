import { setTimeout as pause } from 'node:timers/promises';
import { connect, ErrorCode, RemoteError, TransportError } from '@tenon/mcp-client';
import { httpTarget } from '@tenon/mcp-client/http';

/** Milliseconds of one flood. */
const length = 3_000;
/** Milliseconds between two calls, so that a flood leaves time for others. */
const breath = 10;
/** The calls of a flood at the same time. */
const together = 8;

/**
 * Calls as fast as it can, in floods with pauses between them, until the time is over.
 *
 * @param {import('./caller.js').CallerSetup} setup
 * @param {number} until
 */
export async function flood({ url, ledger, onError }, until) {
  for (let count = 1; performance.now() < until; count++) {
    // Each flood has a name of its own, so that it begins with the whole burst.
    const name = `flood-${count}`;
    const headers = { authorization: `Bearer ${name}`, 'x-caller': name };
    try {
      const client = await connect(httpTarget(url, { headers }), {
        info: { name, version: '1.0.0' },
        rates: false,
        onError,
      });
      ledger.floods.push(await oneFlood(client, () => ledger.number('flood')));
      await client.close();
    } catch (error) {
      ledger.note(`floods that did not connect: ${error instanceof Error ? error.name : error}`);
    }
    await pause(3_000);
  }
}

/**
 * @param {import('@tenon/mcp-client').Client} client
 * @param {() => number} numbering
 */
async function oneFlood(client, numbering) {
  const flood = { from: Date.now(), to: 0, accepted: 0, refused: 0 };
  const until = performance.now() + length;
  const worker = async () => {
    while (performance.now() < until) {
      try {
        await client.callTool('quick', { number: numbering() });
        flood.accepted++;
      } catch (error) {
        if (isRefusal(error)) flood.refused++;
      }
      await pause(breath);
    }
  };
  await Promise.all(Array.from({ length: together }, worker));
  flood.to = Date.now();
  return flood;
}

/** @param {unknown} error */
function isRefusal(error) {
  if (error instanceof RemoteError) return error.code === ErrorCode.rateLimited;
  return error instanceof TransportError && error.status === 429;
}
