import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { replayHttp } from '../http/http-replay.js';
import { replay } from '../transcripts/replay.js';
import { readStories, type Story } from '../transcripts/transcript.js';
import { stageOf } from './http-stage.js';
import type { Row, Where } from './rows.js';
import { transports } from './transports.js';

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));

/** Returns the folder with the stories of a revision. */
export function folderOf(fixtureKind: Row['fixtureKind'], revision: string): string {
  return `${fixtures}${fixtureKind === 'frames' ? 'transcripts' : 'http'}/${revision}`;
}

/**
 * Runs the story of a behaviour on a transport.
 * @throws Error with the line that does not hold
 */
export async function tell(row: Row, { revision, transport }: Where): Promise<void> {
  const story = storyOf(row, revision);
  if (row.fixtureKind === 'http') {
    const { face, namedActions } = await stageOf(row, transport);
    return replayHttp(story, face, namedActions);
  }
  const server = row.server?.(revision);
  const peer = server && (await transports.get(transport)?.peer(server));
  if (peer === undefined) throw new TypeError(`${row.story} has no server on ${transport}`);
  return replay(story, peer, 'closes');
}

function storyOf({ fixtureKind, story }: Row, revision: string): Story {
  const path = `${folderOf(fixtureKind, revision)}/${story}.md`;
  const stories = readStories(readFileSync(path, 'utf8'), fixtureKind === 'http' ? 'http' : 'transcript');
  const [only] = stories;
  if (only === undefined || stories.length > 1) throw new SyntaxError(`${path} must contain one story`);
  return only;
}
