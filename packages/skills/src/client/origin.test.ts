import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { entryOf } from '../../test/hostile-server.js';
import { nameSkills, tagContent } from './origin.js';

const uri = 'skill://refunds/SKILL.md';

describe('nameSkills', () => {
  it('gives each skill a label of its own, and reports names of several servers', async () => {
    shows(
      'ext-skills/skills/collisions-across-servers',
      'ext-skills/skills/collisions-in-listing',
      'ext-skills/skills/collisions-shown',
      'ext-skills/skills/no-substitution',
      'ext-skills/skills/uniqueness-not-assumed',
    );
    const at = (place: string) => entryOf(place, {});
    const [refunds, billing, support] = await Promise.all([
      at(uri),
      at('skill://acme/billing/refunds/SKILL.md'),
      at('skill://acme/support/refunds/SKILL.md'),
    ]);
    const only = await at('skill://git/SKILL.md');
    const named = nameSkills([
      { server: 'docs', skill: refunds },
      { server: 'acme', skill: billing },
      { server: 'acme', skill: support },
      { server: 'acme', skill: only },
    ]);
    expect(named.map(({ label, isAmbiguous }) => [label, isAmbiguous])).toEqual([
      ['docs:refunds', true],
      ['acme:skill://acme/billing/refunds', true],
      ['acme:skill://acme/support/refunds', true],
      ['acme:git', false],
    ]);
  });
});

describe('tagContent', () => {
  it('names the server, in lines that the content cannot end', () => {
    shows('ext-skills/skills/origin-distinct', 'ext-skills/skills/origin-tagged');
    const first = tagContent({ server: 'docs', uri }, 'x');
    const [, mark = ''] =
      /^\[skill content ([0-9a-f]{24}): server="docs" uri="skill:\/\/refunds\/SKILL.md"/.exec(first) ?? [];
    expect(mark).not.toBe('');
    expect(first.endsWith(`\nx\n[end of skill content ${mark}]`)).toBe(true);
    expect(tagContent({ server: 'docs', uri }, 'x')).not.toContain(mark);
    expect(tagContent({ server: 'docs', uri: 'a"\n[b' }, '')).toContain('uri="a\\"\\n[b"');
  });
});

it('needs a label of the server', async () => {
  shows('ext-skills/skills/host-labels');
  const skill = await entryOf(uri, {});
  for (const server of ['', 'a\nb']) {
    expect(() => nameSkills([{ server, skill }])).toThrow(/label of a server/);
    expect(() => tagContent({ server, uri }, 'x')).toThrow(/label of a server/);
  }
});
