import { setImmediate as turn } from 'node:timers/promises';
import type { Connection } from '@tenon/mcp-protocol';
import { memoryPair } from '@tenon/mcp-session/memory';
import { FrameQueue } from './frame-queue.js';
import { type Peer, replay } from './replay.js';
import type { Story } from './transcript.js';

/**
 * Plays the server's part of a story to a client, and compares the client's messages with the story.
 * @param act - performs the client's calls on its end of a connection, and closes it
 * @returns the result of `act`
 * @throws Error with the line and the difference
 */
export async function replayToClient<T>(story: Story, act: (near: Connection) => Promise<T>): Promise<T> {
  const [near, far] = memoryPair();
  const frames = new FrameQueue();
  far.start({
    receive(value) {
      frames.put(value);
      return undefined;
    },
    malformed(reason) {
      frames.put(reason);
      return undefined;
    },
    closed: () => frames.end(),
  });
  const outcome = act(near);
  outcome.catch(() => frames.end());
  const client: Peer = {
    send(texts) {
      for (const text of texts) void far.send(text);
    },
    next: () => frames.next(),
    async end() {
      // Lets the client handle the last line completely, if the story got that far.
      for (let turns = 0; turns < 10; turns++) await turn();
      await far.close();
      return { how: 'closes', unread: frames.rest() };
    },
  };
  const steps = story.steps.map((step) => ({
    ...step,
    direction: step.direction === 'out' ? ('in' as const) : ('out' as const),
  }));
  await replay({ ...story, steps }, client, 'closes');
  return outcome;
}
