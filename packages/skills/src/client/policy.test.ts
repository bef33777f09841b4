import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { skillText } from '../../test/folder.js';
import { entryOf } from '../../test/hostile-server.js';
import type { Skill, SkillResource } from '../skill/skill.js';
import {
  type ApprovalRequest,
  type CrossServerRead,
  fingerprintOf,
  nameSkills,
  SkillPolicy,
  tagContent,
} from './policy.js';

const uri = 'skill://refunds/SKILL.md';
const text = skillText('refunds');
const asking = (answer = true) => {
  const asked: ApprovalRequest[] = [];
  const approve = (request: ApprovalRequest) => {
    asked.push(request);
    return answer;
  };
  return { asked, approve };
};
const states = (asked: readonly ApprovalRequest[]) => asked.map(({ server, state }) => `${server} ${state}`);

describe('approvals of a policy', () => {
  it('ask once for each server, URI and set of files', async () => {
    shows(
      'ext-skills/skills/approval-bound',
      'ext-skills/skills/approval-revoked',
      'ext-skills/skills/not-by-uri',
      'ext-skills/skills/origin-shown',
    );
    const { asked, approve } = asking();
    const policy = new SkillPolicy({ approve });
    const before = await entryOf(uri, { [uri]: text });
    const after = await entryOf(uri, { [uri]: text, 'skill://refunds/a.md': 'a' });
    const [docs, shop] = [policy.approver('docs'), policy.approver('shop')];
    for (const skill of [before, before, after, after, before]) expect(await docs(skill)).toBe(true);
    await shop(before);
    expect(states(asked)).toEqual(['docs new', 'docs changed', 'docs changed', 'shop new']);
  });

  it('do not depend on the order of files', async () => {
    const skill = await entryOf(uri, { [uri]: text, 'skill://refunds/a.md': 'a' });
    const turned = { ...skill, resources: [...(skill.resources as [])].reverse() };
    expect(await fingerprintOf(turned)).toBe(await fingerprintOf(skill));
  });

  it('are revoked by a change before the user answers, and by revoke()', async () => {
    shows('ext-skills/skills/approval-revoked');
    let answer: boolean | Error = true;
    const asked: string[] = [];
    const policy = new SkillPolicy({
      approve: ({ state }) => {
        asked.push(state);
        if (answer instanceof Error) throw answer;
        return answer;
      },
    });
    const docs = policy.approver('docs');
    const before = await entryOf(uri, { [uri]: text });
    await docs(before);
    answer = new Error('the window was closed');
    await expect(docs(await entryOf(uri, { [uri]: `${text}x` }))).rejects.toThrow('window');
    answer = true;
    await docs(before);
    await policy.revoke('docs', uri);
    await docs(before);
    expect(asked).toEqual(['new', 'changed', 'new', 'new']);
  });

  it('are not kept when the user refuses, nor for dynamic skills', async () => {
    shows('ext-skills/skills/dynamic-not-bound');
    const refusing = asking(false);
    const policy = new SkillPolicy({ approve: refusing.approve });
    const skill = await entryOf(uri, { [uri]: text });
    for (let time = 0; time < 2; time++) expect(await policy.approver('docs')(skill)).toBe(false);
    expect(refusing.asked).toHaveLength(2);
    const dynamic: Skill = { ...skill, resources: 'dynamic' };
    const agreeing = asking();
    const other = new SkillPolicy({ approve: agreeing.approve }).approver('docs');
    for (let time = 0; time < 2; time++) expect(await other(dynamic)).toBe(true);
    expect(agreeing.asked).toHaveLength(2);
  });

  it('of a skill with files do not cover it once it is dynamic, and the other way round', async () => {
    const { asked, approve } = asking();
    const docs = new SkillPolicy({ approve }).approver('docs');
    const skill = await entryOf(uri, { [uri]: text });
    const dynamic: Skill = { ...skill, resources: 'dynamic' };
    for (const one of [skill, dynamic, dynamic, skill, skill]) expect(await docs(one)).toBe(true);
    expect(states(asked)).toEqual(['docs new', 'docs changed', 'docs new', 'docs new']);
  });

  it('of a skill with files are gone when the user refuses it as a dynamic one', async () => {
    let answer = true;
    const asked: string[] = [];
    const approve = ({ state }: ApprovalRequest) => {
      asked.push(state);
      return answer;
    };
    const docs = new SkillPolicy({ approve }).approver('docs');
    const skill = await entryOf(uri, { [uri]: text });
    await docs(skill);
    answer = false;
    expect(await docs({ ...skill, resources: 'dynamic' })).toBe(false);
    expect(await docs(skill)).toBe(false);
    expect(asked).toEqual(['new', 'changed', 'new']);
  });

  it('are the newest 10,000 without a store', async () => {
    const { asked, approve } = asking();
    const docs = new SkillPolicy({ approve }).approver('docs');
    const skill = await entryOf(uri, { [uri]: text });
    const numbered = (count: number): Skill => {
      const own = `skill://s${count}/refunds/SKILL.md`;
      return { ...skill, uri: own, resources: [{ ...(skill.resources as [SkillResource])[0], uri: own }] };
    };
    for (let count = 0; count <= 10_000; count++) await docs(numbered(count));
    for (const count of [1, 10_000, 0]) await docs(numbered(count));
    expect(asked.slice(10_001).map((one) => one.skill.uri)).toEqual(['skill://s0/refunds/SKILL.md']);
  });

  it('are kept in a store that outlives the policy', async () => {
    shows(
      'ext-skills/skills/approval-bound',
      'ext-skills/skills/host-labels',
      'ext-skills/skills/identity-kept',
      'ext-skills/skills/not-by-uri',
    );
    const approvals = new Map<string, string>();
    const { asked, approve } = asking();
    const skill = await entryOf(uri, { [uri]: text });
    for (let start = 0; start < 2; start++)
      await new SkillPolicy({ approve, approvals }).approver('docs')(skill);
    expect(asked).toHaveLength(1);
    expect([...approvals.keys()]).toEqual(['["docs","skill://refunds/SKILL.md"]']);
  });

  it('ask for a nested skill, and for the skill around it after a change', async () => {
    shows('ext-skills/skills/nested-consent');
    const { asked, approve } = asking();
    const docs = new SkillPolicy({ approve }).approver('docs');
    const inner = 'skill://refunds/partial/SKILL.md';
    const nested = await entryOf(inner, { [inner]: skillText('partial') });
    await docs(await entryOf(uri, { [uri]: text, [inner]: skillText('partial') }));
    await docs(nested);
    expect(asked.map(({ skill, state }) => [skill.uri, state])).toEqual([
      [uri, 'new'],
      [inner, 'new'],
    ]);
  });

  it('need a label of the server', () => {
    shows('ext-skills/skills/host-labels');
    const policy = new SkillPolicy({ approve: () => true });
    for (const label of ['', 'a\nb']) expect(() => policy.approver(label)).toThrow(/label of a server/);
    expect(() => new SkillPolicy({} as never)).toThrow(/approve/);
  });
});

describe('reads of other servers', () => {
  it('are refused unless the user approves the one call', async () => {
    shows(
      'ext-skills/skills/cross-read-approved',
      'ext-skills/skills/no-other-server',
      'ext-skills/skills/reads-bound',
    );
    const closed = new SkillPolicy({ approve: () => true });
    expect(await closed.mayRead({ from: 'docs', to: 'docs', uri })).toBe(true);
    expect(await closed.mayRead({ from: 'docs', to: 'mail', uri: 'mail://inbox' })).toBe(false);
    const asked: CrossServerRead[] = [];
    const approveRead = (read: CrossServerRead) => asked.push(read) > 1;
    const open = new SkillPolicy({ approve: () => true, approveRead });
    const read = { from: 'docs', to: 'mail', uri: 'mail://inbox' };
    expect([await open.mayRead(read), await open.mayRead(read)]).toEqual([false, true]);
    expect(asked).toEqual([read, read]);
  });
});

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
