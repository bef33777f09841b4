import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { revisions } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../behaviours/tell.js';
import { readStories } from '../transcripts/transcript.js';
import { type Feature, features, lineOf } from './features.js';
import { tableOf } from './table.js';

const ids = revisions.map(({ id }) => id).sort();
const page = fileURLToPath(new URL('../../fixtures/README.md', import.meta.url));

/** Every line of a story. */
function linesOf(fixtureKind: Feature['fixtureKind'], revision: string, file: string): readonly string[] {
  const text = readFileSync(`${folderOf(fixtureKind, revision)}/${file}`, 'utf8');
  const stories = readStories(text, fixtureKind === 'http' ? 'http' : 'transcript');
  return stories.flatMap(({ steps }) => steps.map(lineOf));
}

/** Every line of all stories of a revision. */
function everyLine(revision: string): readonly string[] {
  return (['frames', 'http'] as const).flatMap((fixtureKind) =>
    readdirSync(folderOf(fixtureKind, revision)).flatMap((file) => linesOf(fixtureKind, revision, file)),
  );
}

describe.each(ids)('the stories of %s', (revision) => {
  it.each(features.filter(({ absent }) => absent(revision) === undefined))(
    'tell of $name, in $story',
    ({ fixtureKind, story, shows }) => {
      const lines = linesOf(fixtureKind, revision, `${story}.md`);
      expect(lines.find((line) => shows.test(line))).toBeDefined();
    },
  );

  const lines = everyLine(revision).filter((line) => line.startsWith('←'));
  const unsaid = features.filter(({ shows, absent }) => {
    return absent(revision) !== undefined && shows.source.startsWith('^←');
  });
  it.each(unsaid)('have no line with $name', ({ shows }) => {
    expect(lines.find((line) => shows.test(line))).toBeUndefined();
  });
});

describe('the table of features', () => {
  it('names each feature once, in some revision', () => {
    expect(new Set(features.map(({ name }) => name)).size).toBe(features.length);
    for (const { absent } of features) expect(ids.some((id) => absent(id) === undefined)).toBe(true);
  });

  it('contains every story in frames', () => {
    const fixtureKind = new Set(features.map(({ story }) => story));
    const files = ids.flatMap((id) => readdirSync(folderOf('frames', id)));
    expect(files.filter((file) => !fixtureKind.has(file.replace(/\.md$/, '')))).toEqual([]);
  });

  it('is on the page of the stories', () => {
    const rows = features.map(({ name, fixtureKind, story, absent }) => {
      return { name, place: fixtureKind === 'http' ? `http: ${story}` : story, absent };
    });
    expect(readFileSync(page, 'utf8')).toContain(tableOf('feature', rows, ids));
  });
});
