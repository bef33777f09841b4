import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { replayHttp } from '../http/http-replay.js';
import { replay } from '../transcripts/replay.js';
import { readStories, type Story } from '../transcripts/transcript.js';
import { stageOf } from './http-stage.js';
import type { Row, Where } from './rows.js';
import { transports } from './transports.js';

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));

/** The folder with a file for each story of a revision. */
export function folderOf(told: Row['told'], revision: string): string {
  return `${fixtures}${told === 'frames' ? 'transcripts' : 'http'}/${revision}`;
}

/**
 * Plays the story of a behaviour on a transport.
 * @throws Error that names the line where it does not hold.
 */
export async function tell(row: Row, { revision, transport }: Where): Promise<void> {
  const story = storyOf(row, revision);
  if (row.told === 'http') {
    const { face, happenings } = await stageOf(row, transport);
    return replayHttp(story, face, happenings);
  }
  const server = row.server?.(revision);
  const peer = server && (await transports.get(transport)?.peer(server));
  if (peer === undefined) throw new TypeError(`${row.story} has no server on ${transport}`);
  return replay(story, peer, 'closes');
}

function storyOf({ told, story }: Row, revision: string): Story {
  const path = `${folderOf(told, revision)}/${story}.md`;
  const stories = readStories(readFileSync(path, 'utf8'), told === 'http' ? 'http' : 'transcript');
  const [only] = stories;
  if (only === undefined || stories.length > 1) throw new SyntaxError(`${path} must tell one story`);
  return only;
}
