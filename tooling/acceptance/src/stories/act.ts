import { connect } from '@tenon/mcp-client';
import type { Connection } from '@tenon/mcp-protocol';
import type { ClientStory } from './clients.js';

/** Connects, performs the acts of a story in order, and returns the result of each, as JSON. */
export async function act(
  story: ClientStory,
  near: Connection,
  revision: string,
): Promise<readonly unknown[]> {
  const target = { restartable: false, open: () => near };
  const client = await connect(target, {
    info: { name: 'storyteller', version: '1.0.0' },
    reconnect: false,
    onError: () => {},
    ...(story.seeks !== true && { revision }),
    ...story.options,
  });
  const outcomes: unknown[] = [];
  try {
    for (const one of story.acts) outcomes.push(await outcomeOf(() => one(client)));
  } finally {
    await client.close();
  }
  return outcomes;
}

/** Members of a client's errors. */
interface Thrown extends Error {
  readonly code?: unknown;
  readonly reason?: unknown;
  readonly data?: unknown;
}

async function outcomeOf(run: () => unknown): Promise<unknown> {
  try {
    const value: unknown = await run();
    return value === undefined ? null : JSON.parse(JSON.stringify(value));
  } catch (error) {
    const { name, message, code, reason, data } = error as Thrown;
    return JSON.parse(JSON.stringify({ throws: name, code, reason, message, data }));
  }
}
