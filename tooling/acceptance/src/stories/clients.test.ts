import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { revisions } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { replayToClient } from '../transcripts/client-replay.js';
import { readStories } from '../transcripts/transcript.js';
import { act } from './act.js';
import { clientStories, whyNoClient } from './clients.js';
import { tableOf } from './table.js';

const page = fileURLToPath(new URL('../../fixtures/README.md', import.meta.url));
const folder = fileURLToPath(new URL('../../fixtures/clients/', import.meta.url));
const ids = revisions.map(({ id }) => id).sort();

/** Returns the results on a page: a block of JSON for each act. */
function outcomesOf(page: string): readonly unknown[] {
  return Array.from(page.matchAll(/^```json\n([\s\S]*?)\n```$/gm), ([, json = '']) => JSON.parse(json));
}

describe.each(ids)('clients of %s', (revision) => {
  const supported = [...clientStories].filter(([story]) => whyNoClient(story, revision) === undefined);

  it.each(supported)('have the results on the page: %s', async (name, make) => {
    const text = readFileSync(`${folder}${revision}/${name}.md`, 'utf8');
    const [story] = readStories(text);
    if (story === undefined) throw new SyntaxError(`${name} tells nothing`);
    const outcomes = await replayToClient(story, (near) => act(make(), near, revision));
    expect(outcomes).toEqual(outcomesOf(text));
  });

  it('have a file for each story, and no other', () => {
    expect(readdirSync(folder + revision).sort()).toEqual(supported.map(([name]) => `${name}.md`).sort());
  });
});

it('the page of the stories lists the client stories', () => {
  const rows = [...clientStories.keys()].map((name) => {
    return { name, absent: (revision: string) => whyNoClient(name, revision) };
  });
  expect(readFileSync(page, 'utf8')).toContain(tableOf('story of a client', rows, ids));
});

it('a client with another message than the story fails', async () => {
  const text = readFileSync(`${folder}2025-11-25/trace.md`, 'utf8');
  const [story] = readStories(text.replace('b7ad6b7169203331', 'b7ad6b7169203332'));
  const make = clientStories.get('trace');
  if (story === undefined || make === undefined) throw new SyntaxError('trace is not told');
  const played = replayToClient(story, (near) => act(make(), near, '2025-11-25'));
  await expect(played).rejects.toThrow('line 26');
});
