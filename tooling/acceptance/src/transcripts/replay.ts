import { deepStrictEqual } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { Placeholders } from './placeholders.js';
import type { Step, Story } from './transcript.js';

/** The other end of a transcript. */
export interface Peer {
  /** Sends frames in one write, or one by one on transports without a common stream. */
  send(frames: readonly string[]): void | Promise<void>;
  /**
   * Returns the next frame as JSON; undefined if the peer has closed, or no frame arrived in time. If frames arrive on
   * several streams, returns the next one of a stream with a matching frame.
   */
  next(fits: (frame: unknown) => boolean): Promise<unknown>;
  /** Ends the input. Returns how the peer ended, such as `exits 0`, and the frames that were not read. */
  end(): Promise<{ readonly how: string; readonly unread: readonly unknown[] }>;
}

/**
 * Runs a story: sends its outgoing lines, compares each response in order, and closes the peer. Fails if messages are left
 * that the story does not contain. Consecutive outgoing lines are sent in one write. `→ (closes stdin)` and `← (exits 0)`
 * describe the end; without them the peer must still exit normally.
 * @throws Error with the line and the difference
 */
export async function replay(story: Story, peer: Peer, goodEnd: string): Promise<void> {
  const placeholders = new Placeholders();
  const queue: string[] = [];
  let ended: Awaited<ReturnType<Peer['end']>> | undefined;
  try {
    for (const step of story.steps) {
      if (step.direction === 'out' && step.text !== '(closes stdin)') {
        queue.push(frameOf(step, placeholders));
        continue;
      }
      await peer.send(queue.splice(0));
      if (step.direction === 'out') ended = await peer.end();
      else if (step.text.startsWith('(')) compare(step, ended && `(${ended.how})`, step.text);
      else await expectFrame(step, peer, placeholders);
    }
    await peer.send(queue);
  } finally {
    ended ??= await peer.end();
  }
  deepStrictEqual(ended.unread, [], `after the last line came ${JSON.stringify(ended.unread)}`);
  if (ended.how !== goodEnd) throw new Error(`the peer ${ended.how}, not ${goodEnd}`);
}

async function expectFrame(step: Step, peer: Peer, placeholders: Placeholders): Promise<void> {
  const wanted: unknown = JSON.parse(step.text);
  const actual = await peer.next((frame) => isDeepStrictEqual(frame, placeholders.guess(wanted, frame)));
  if (actual === undefined) throw new Error(`line ${step.line}: no message arrived`);
  compare(step, actual, placeholders.expect(wanted, actual));
}

function compare(step: Step, actual: unknown, expected: unknown): void {
  try {
    deepStrictEqual(actual, expected);
  } catch (error) {
    throw new Error(`line ${step.line}: ${(error as Error).message}`, { cause: error });
  }
}

/** Returns the frame as one line; text that is not JSON unchanged. */
function frameOf(step: Step, placeholders: Placeholders): string {
  let value: unknown;
  try {
    value = JSON.parse(step.text);
  } catch {
    return step.text;
  }
  return JSON.stringify(placeholders.fill(value));
}
