import { deepStrictEqual } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { Placeholders } from './placeholders.js';
import type { Step, Story } from './transcript.js';

/** The other end of a transcript. */
export interface Peer {
  /** Sends frames in one go, or one after the other where each goes its own way. */
  send(frames: readonly string[]): void | Promise<void>;
  /**
   * The next frame as JSON; undefined when the peer has gone, or nothing came in time. Where frames come on several
   * streams, it is the next one of whichever stream has one that fits.
   */
  next(fits: (frame: unknown) => boolean): Promise<unknown>;
  /** Sends no more; resolves with how it ended, such as `exits 0`, and the frames nobody waited for. */
  end(): Promise<{ readonly how: string; readonly unread: readonly unknown[] }>;
}

/**
 * Plays a story: sends what it sends, and compares each answer, one after the other. Ends the peer, too, and wants to
 * see nothing that the story does not tell. Lines sent one after the other leave in one write. `→ (closes stdin)` and
 * `← (exits 0)` tell the end; without them the peer must end well all the same.
 * @throws Error that names the line and the difference.
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
  if (actual === undefined) throw new Error(`line ${step.line}: nothing came`);
  compare(step, actual, placeholders.expect(wanted, actual));
}

function compare(step: Step, actual: unknown, expected: unknown): void {
  try {
    deepStrictEqual(actual, expected);
  } catch (error) {
    throw new Error(`line ${step.line}: ${(error as Error).message}`, { cause: error });
  }
}

/** The frame on one line; what is no JSON goes out as it is. */
function frameOf(step: Step, placeholders: Placeholders): string {
  let value: unknown;
  try {
    value = JSON.parse(step.text);
  } catch {
    return step.text;
  }
  return JSON.stringify(placeholders.fill(value));
}
