import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { hostedSkills, skilled, skillText } from '../../test/skilled.js';
import type { Policy } from '../index.js';

const uri = 'skill://refunds/SKILL.md';
const guide = 'skill://refunds/references/guide.md';
const refunds = { [uri]: skillText('refunds'), [guide]: 'Read me.\n' };
const place = { server: 'docs', uri };
const denied = expect.objectContaining({ reason: 'denied' });
const allow: Policy = () => 'allow';

describe('a skill in use', () => {
  it('makes tools that execute code ask, whatever the policy and earlier answers allow', async () => {
    shows(
      'ext-skills/skills/execution-gated',
      'ext-skills/skills/higher-risk',
      'ext-skills/skills/no-execution',
    );
    const shell = skilled({}, { tools: ['run', 'now'] });
    const { host, skills, questions, records } = hostedSkills(
      { docs: skilled(refunds), shell },
      {
        answer: 'no',
        policy: ({ name }) => (name === 'run' ? 'ask' : 'allow'),
        consent: (question) => (questions.push(question) === 1 ? 'always' : 'no'),
        skills: { executesCode: ({ name }) => name === 'run' },
      },
    );
    await host.callTool('shell__run', {}, { way: 'model' });
    await host.callTool('shell__run', {}, { way: 'model' });
    expect(questions).toHaveLength(1);
    const skill = await skills.load(place);
    for (const way of ['model', 'search', 'app', 'task', 'direct'] as const)
      await expect(host.callTool('shell__run', {}, { way })).rejects.toEqual(denied);
    expect(questions[1]?.request).toMatchObject({
      kind: 'tool',
      name: 'run',
      skills: [{ server: 'docs', uri, digests: expect.anything() }],
    });
    await host.callTool('shell__now');
    expect(shell.ran).toEqual(['run', 'run', 'now']);
    expect(records.filter(({ outcome }) => outcome === 'refused')).toHaveLength(5);
    skill.release();
    await host.callTool('shell__run', {}, { way: 'model' });
    expect(shell.ran).toHaveLength(4);
  });

  it('keeps an answer for the tool with this skill, until the skill or the tool changes', async () => {
    const [docs, shell] = [skilled(refunds), skilled({}, { tools: ['run'] })];
    const { host, skills, questions } = hostedSkills({ docs, shell }, { answer: 'always', policy: allow });
    const skill = await skills.load(place);
    await host.callTool('shell__run');
    await host.callTool('shell__run');
    expect(questions).toHaveLength(1);
    skill.release();
    docs.files = { ...refunds, [guide]: 'Changed.\n' };
    await skills.load(place);
    await host.callTool('shell__run');
    expect(questions.map(({ request, change }) => [request.kind, change?.kind])).toEqual([
      ['tool', undefined],
      ['tool', 'changed'],
    ]);
  });

  it('gates every tool when the program does not say which execute code, or its check fails', async () => {
    for (const own of [
      {},
      {
        executesCode: () => {
          throw new Error('broken');
        },
      },
    ]) {
      const docs = skilled(refunds, { tools: ['run'] });
      const { host, skills } = hostedSkills({ docs }, { policy: allow, answer: 'no', skills: own });
      await skills.load(place);
      await expect(host.callTool('docs__run')).rejects.toEqual(denied);
      expect(docs.ran).toEqual([]);
    }
  });

  it('gates the calls of its own user, and all calls if it has none', async () => {
    const docs = skilled(refunds, { tools: ['run'] });
    const { host, skills } = hostedSkills({ docs }, { policy: allow, answer: 'no' });
    const skill = await skills.load(place, { user: 'ada' });
    await host.callTool('docs__run', {}, { user: 'bob' });
    await expect(host.callTool('docs__run', {}, { user: 'ada' })).rejects.toEqual(denied);
    await expect(host.callTool('docs__run')).rejects.toEqual(denied);
    skill.release();
    await skills.load(place);
    await expect(host.callTool('docs__run', {}, { user: 'bob' })).rejects.toEqual(denied);
  });

  it('reads another server only with an agreement to that one read, which names both', async () => {
    shows(
      'ext-skills/skills/cross-read-approved',
      'ext-skills/skills/no-other-server',
      'ext-skills/skills/reads-bound',
    );
    const mail = skilled({ 'mail://inbox': 'secret', 'mail://sent': 'secret' });
    const { host, skills, questions, records } = hostedSkills(
      { docs: skilled(refunds), mail },
      { policy: allow, consent: (question) => (questions.push(question) === 1 ? 'always' : 'no') },
    );
    const skill = await skills.load(place);
    await host.readResource('docs', guide, { way: 'model' });
    expect(questions).toEqual([]);
    await host.readResource('mail', 'mail://inbox', { way: 'model' });
    const again = host.readResource('mail', 'mail://inbox', { way: 'model' });
    await expect(again).rejects.toThrow(/"mail:\/\/inbox" of mail, while a skill of docs is in use/);
    expect(questions[0]?.request).toMatchObject({
      kind: 'resource',
      server: 'mail',
      skills: [{ server: 'docs', uri }],
    });
    await expect(skill.read('mail://inbox')).rejects.toMatchObject({ reason: 'unlisted' });
    expect(mail.reads).toEqual(['mail://inbox']);
    expect(records.at(-1)).toMatchObject({ outcome: 'refused', server: 'mail' });
    skill.release();
    await host.readResource('mail', 'mail://sent', { way: 'model' });
  });

  it('is released when its load cannot be recorded', async () => {
    const docs = skilled(refunds, { tools: ['run'] });
    let isFull = true;
    const { host, skills, questions } = hostedSkills(
      { docs },
      {
        policy: allow,
        audit: {
          append: ({ kind, outcome }) => {
            if (isFull && kind === 'skill' && outcome === 'done') throw new Error('disk full');
          },
        },
      },
    );
    await expect(skills.load(place)).rejects.toMatchObject({ reason: 'unrecorded' });
    await host.callTool('docs__run');
    expect(questions).toEqual([]);
    isFull = false;
    await skills.load(place);
    await host.callTool('docs__run');
    expect(questions).toHaveLength(1);
  });
});
