import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { revisions } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { storyServers } from './stories/servers.js';
import { memoryPeer } from './transcripts/memory-peer.js';
import { replay } from './transcripts/replay.js';
import { readStories } from './transcripts/transcript.js';

const folder = fileURLToPath(new URL('../fixtures/transcripts/', import.meta.url));

/** Features by the first revision that has them; the rest were there from the beginning. */
const since: ReadonlyMap<string, string> = new Map([['elicitation', '2025-06-18']]);

function featuresOf(revision: string): readonly string[] {
  return [...storyServers.keys()].filter((feature) => revision >= (since.get(feature) ?? ''));
}

describe.each(revisions.map(({ id }) => id))('transcripts of %s', (revision) => {
  it('tell of each feature the revision has', () => {
    const files = readdirSync(`${folder}${revision}`).sort();
    expect(files).toEqual(
      featuresOf(revision)
        .map((feature) => `${feature}.md`)
        .sort(),
    );
  });

  it.each(featuresOf(revision))('hold for %s', async (feature) => {
    const stories = readStories(readFileSync(`${folder}${revision}/${feature}.md`, 'utf8'));
    const server = storyServers.get(feature);
    expect(stories).toHaveLength(1);
    for (const story of stories)
      if (server !== undefined) await replay(story, memoryPeer(server()), 'closes');
  });
});
