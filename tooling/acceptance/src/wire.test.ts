import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { processPeer } from './transcripts/process-peer.js';
import { replay } from './transcripts/replay.js';
import { readStories } from './transcripts/transcript.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = readFileSync(`${root}docs/wire.md`, 'utf8');

describe('docs/wire.md', () => {
  // The server is started as the page says.
  const [node, ...args] = /```sh\n(.*)\n```/.exec(page)?.[1]?.split(' ') ?? [];
  const stories = readStories(page);

  it('has a session for each revision', () => {
    expect(node).toBe('node');
    expect(stories.map(({ title }) => title)).toEqual([
      '2024-11-05',
      '2025-03-26',
      '2025-06-18',
      '2025-11-25',
      '2026-07-28',
    ]);
  });

  it.each(stories)('holds in $title', async (story) => {
    await replay(story, processPeer(args, root), 'exits 0');
  });
});
