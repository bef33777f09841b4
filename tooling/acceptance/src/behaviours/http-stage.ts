import { sseMount } from '@tenon/mcp-server/sse';
import { FakeClock } from '@tenon/mcp-testing';
import { fetchFace, type HttpFace, type MakeFace, nodeFace } from '../http/face.js';
import type { NamedActions } from '../http/http-replay.js';
import { workshop } from '../stories/workshop.js';
import type { Row } from './rows.js';

/** The server of a story, and the events that may happen to it. */
export interface Stage {
  readonly face: HttpFace;
  readonly namedActions: NamedActions;
}

const sseFace: MakeFace = (server, { clock, ...options } = {}) => {
  const mount = sseMount(server, clock === undefined ? {} : { clock });
  return nodeFace(server, { ...options, mounts: [mount] });
};

const faces: ReadonlyMap<string, MakeFace> = new Map([
  ['http', nodeFace],
  ['fetch', fetchFace],
  ['sse', sseFace],
]);

/**
 * Starts the server of an HTTP story.
 * @throws RangeError if the transport is not HTTP
 */
export async function stageOf({ options }: Row, transport: string): Promise<Stage> {
  const makeFace = faces.get(transport);
  if (makeFace === undefined) throw new RangeError(`${transport} is not HTTP`);
  const clock = new FakeClock();
  const serverOptions = { onError: () => {}, clock, ...options?.server };
  const shop = workshop(serverOptions);
  const server = options?.make?.(serverOptions) ?? shop.server;
  const face = await makeFace(server, { ...options?.http, clock });
  const passing = (ms: number) => async () => clock.advance(ms);
  const namedActions = new Map([
    ['4 seconds pass', passing(4_000)],
    ['15 seconds pass', passing(15_000)],
    ['30 minutes pass', passing(1_800_000)],
    ['the glue dries', async () => shop.dry()],
    // Draining ends after the running calls, which the rest of the story shows.
    ['the server begins to end', async () => void face.drain()],
  ]);
  return { face, namedActions };
}
