import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { replayHttp } from './http/http-replay.js';
import { processFace } from './http/process-face.js';
import { processPeer } from './transcripts/process-peer.js';
import { replay } from './transcripts/replay.js';
import { readStories } from './transcripts/transcript.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = readFileSync(`${root}docs/reference/wire.md`, 'utf8');

// The page contains the commands that start the servers.
const commands = [...page.matchAll(/```sh\nnode (.*)\n```/g)].map(([, words = '']) => words.split(' '));
const [overStdio = [], overHttp = []] = commands;

describe('docs/reference/wire.md', () => {
  const stories = readStories(page);

  it('has a session for each revision', () => {
    expect(commands).toHaveLength(2);
    expect(stories.map(({ title }) => title)).toEqual([
      '2024-11-05',
      '2025-03-26',
      '2025-06-18',
      '2025-11-25',
      '2026-07-28',
    ]);
  });

  it.each(stories)('holds in $title', async (story) => {
    await replay(story, processPeer(overStdio, root), 'exits 0');
  });
});

describe('docs/reference/wire.md, over HTTP', () => {
  const stories = readStories(page, 'http');

  it('has a session, and a revision without sessions', () => {
    expect(stories.map(({ title }) => title)).toEqual(['2025-11-25 over HTTP', '2026-07-28 over HTTP']);
  });

  it.each(stories)('holds in $title', async (story) => {
    // Replaces the port by any free one.
    await replayHttp(story, await processFace([...overHttp.slice(0, -1), '0'], root));
  });
});
