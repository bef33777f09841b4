import { memoryTarget } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { shows } from '../../../tooling/suite/shows.js';
import { hosted } from '../test/hosted.js';
import { hostedSkills, skilled, skillText } from '../test/skilled.js';
import { type ConsentAnswer, memoryGrants, type Policy } from './index.js';
import { hostSkills } from './skills.js';

const uri = 'skill://refunds/SKILL.md';
const guide = 'skill://refunds/references/guide.md';
const refunds = { [uri]: skillText('refunds'), [guide]: 'Read me.\n' };
const place = { server: 'docs', uri };
const denied = expect.objectContaining({ reason: 'denied' });
const allow: Policy = () => 'allow';
/** No tool of these servers executes code. */
const safe = { executesCode: () => false };

describe('the list of skills', () => {
  it('has the skills of all servers by labels with their server, and reads no file', async () => {
    shows(
      'ext-skills/skills/collisions-across-servers',
      'ext-skills/skills/collisions-shown',
      'ext-skills/skills/host-labels',
      'ext-skills/skills/origin-shown',
    );
    const [docs, shop] = [
      skilled(refunds),
      skilled({ ...refunds, 'skill://git/SKILL.md': skillText('git') }),
    ];
    const { skills } = hostedSkills({ docs, shop });
    expect(
      (await skills.list()).map(({ label, server, isAmbiguous, description }) => [
        label,
        server,
        isAmbiguous,
        description,
      ]),
    ).toEqual([
      ['docs:refunds', 'docs', true, 'How to use refunds'],
      ['shop:refunds', 'shop', true, 'How to use refunds'],
      ['shop:git', 'shop', false, 'How to use git'],
    ]);
    await expect(skills.load('refunds')).rejects.toThrow(/labels: docs:refunds, shop:refunds/);
    expect([...docs.reads, ...shop.reads]).toEqual([]);
  });

  it('has the skills of the other servers when one fails', async () => {
    const broken = skilled(refunds);
    broken.files = undefined as never;
    const { skills, errors } = hostedSkills({ broken, docs: skilled(refunds) });
    expect((await skills.list()).map(({ label }) => label)).toEqual(['docs:refunds']);
    expect(errors).toHaveLength(1);
  });

  it('does not take a resource for a skill because of its scheme', async () => {
    shows('ext-skills/skills/scheme-proves-nothing');
    const other = 'skill://other/SKILL.md';
    const github = 'github://acme/skills/git/SKILL.md';
    const docs = skilled({ [other]: skillText('other'), [github]: skillText('git') }, { skills: [github] });
    const { host, skills } = hostedSkills({ docs });
    expect((await host.resources()).map((one) => one.uri)).toContain(other);
    expect((await skills.list()).map((one) => one.uri)).toEqual([github]);
    await expect(skills.load({ server: 'docs', uri: other })).rejects.toMatchObject({
      reason: 'unknown-skill',
      message: expect.stringContaining('docs has no skill "skill://other/SKILL.md"'),
    });
    expect((await skills.load({ server: 'docs', uri: github })).uri).toBe(github);
  });

  it('needs the extension, and refuses unknown options', () => {
    const { host } = hosted({});
    expect(() => hostSkills(host)).toThrow(/extensions: \[skills\(\)\]/);
    expect(() => hostSkills(host, { caches: 1 } as never)).toThrow(/caches.*cache/s);
  });

  it('belongs to one call for each host: another one is an error that changes nothing', async () => {
    const docs = skilled(refunds, { tools: ['run'] });
    const { host, skills, questions } = hostedSkills({ docs }, { policy: allow, skills: safe });
    expect(() => hostSkills(host)).toThrow(/called for this host already: pass on the object/);
    await skills.load(place);
    await host.callTool('docs__run');
    expect(questions).toEqual([]);
    expect(() => hostedSkills({ docs })).not.toThrow();
  });
});

describe('inspection', () => {
  it('shows entry, files and texts before the skill is loaded, also while the user is asked', async () => {
    shows('ext-skills/skills/inspection');
    const docs = skilled({
      ...refunds,
      [uri]: skillText('refunds', { 'allowed-tools': 'Bash', hooks: ['x'] }),
    });
    const seen: unknown[] = [];
    const { skills, questions, records } = hostedSkills(
      { docs },
      {
        consent: async ({ request }) => {
          const shown = await skills.inspect({ server: request.server, uri: request.name });
          seen.push(
            shown.files?.map(({ path, size }) => [path, size]),
            shown.ignoredFields,
          );
          seen.push((await shown.read('references/guide.md')).text);
          return 'no' as const;
        },
      },
    );
    await expect(skills.load(place)).rejects.toEqual(denied);
    expect(seen).toEqual([
      [
        ['SKILL.md', docs.files[uri]?.length],
        ['references/guide.md', 9],
      ],
      ['allowed-tools', 'hooks'],
      'Read me.\n',
    ]);
    expect(docs.reads).toEqual([guide]);
    expect(questions).toEqual([]);
    expect(records.map(({ kind, name, outcome }) => [kind, name, outcome])).toEqual([
      ['resource', guide, 'running'],
      ['resource', guide, 'done'],
      ['skill', uri, 'refused'],
    ]);
  });

  it('reads nothing that the policy denies, and opens no use of the skill', async () => {
    const docs = skilled(refunds, { tools: ['run'] });
    const policy: Policy = ({ name }) => (name === guide ? 'deny' : 'allow');
    const { host, skills, questions } = hostedSkills({ docs }, { policy });
    const shown = await skills.inspect(place);
    await expect(shown.read('references/guide.md')).rejects.toEqual(denied);
    expect((await shown.read('SKILL.md')).text).toBe(refunds[uri]);
    await host.callTool('docs__run');
    expect(questions).toEqual([]);
  });
});

describe('loading', () => {
  it.each<[ConsentAnswer, number]>([
    ['once', 3],
    ['run', 1],
    ['always', 1],
  ])('asks about the digests of the files, as often as "%s" says', async (answer, times) => {
    shows('ext-skills/skills/load-gated', 'ext-skills/skills/approval-bound');
    const { skills, questions } = hostedSkills({ docs: skilled(refunds) }, { answer });
    for (let count = 0; count < 3; count++) (await skills.load(place)).release();
    expect(questions).toHaveLength(times);
    expect(questions[0]?.request).toMatchObject({
      kind: 'skill',
      server: 'docs',
      name: uri,
      digests: { [uri]: expect.stringMatching(/^sha256:/), [guide]: expect.stringMatching(/^sha256:/) },
    });
  });

  it('asks again after a change, and the earlier approval is gone when the user refuses', async () => {
    shows(
      'ext-skills/skills/approval-bound',
      'ext-skills/skills/approval-revoked',
      'ext-skills/skills/change-presented',
      'ext-skills/skills/identity-kept',
      'ext-skills/skills/not-by-uri',
    );
    const grants = memoryGrants();
    const added = 'skill://refunds/new.md';
    const [docs, shop] = [skilled(refunds, { later: [added] }), skilled(refunds)];
    for (const answer of ['always', 'run'] as const) {
      docs.files = refunds;
      const { skills, questions } = hostedSkills(
        { docs, shop },
        { grants, consent: (question) => (questions.push(question) === 2 ? 'no' : answer) },
      );
      await skills.load(place);
      docs.files = { ...refunds, [added]: 'new' };
      await expect(skills.load(place)).rejects.toEqual(denied);
      docs.files = refunds;
      await skills.load(place);
      await skills.load({ server: 'shop', uri });
      expect(questions.map(({ request, change }) => [request.server, change?.kind])).toEqual([
        ['docs', undefined],
        ['docs', 'changed'],
        ['docs', undefined],
        ['shop', undefined],
      ]);
      expect(questions[1]?.change?.difference).toEqual(
        expect.arrayContaining([expect.stringMatching(/^\+ "skill:\/\/refunds\/new.md" sha256:/)]),
      );
      // The next host starts without the approvals of this one.
      await grants.change(JSON.stringify([null, 'docs', '']), () => undefined);
      await grants.change(JSON.stringify([null, 'shop', '']), () => undefined);
    }
  });

  it('keeps "always" for another host with the same store, for one user', async () => {
    const grants = memoryGrants();
    const first = hostedSkills({ docs: skilled(refunds) }, { grants, answer: 'always' });
    await first.skills.load(place, { user: 'ada' });
    const { skills, questions } = hostedSkills({ docs: skilled(refunds) }, { grants, answer: 'no' });
    await skills.load(place, { user: 'ada' });
    await expect(skills.load(place, { user: 'bob' })).rejects.toEqual(denied);
    expect(questions.map(({ request }) => request.origin.user)).toEqual(['bob']);
  });

  it('asks each time for a skill with generated content', async () => {
    shows('ext-skills/skills/dynamic-not-bound');
    const docs = skilled(refunds, { isDynamic: true });
    const { skills, questions } = hostedSkills(
      { docs },
      { answer: 'always', client: { allowDynamic: true } },
    );
    for (let count = 0; count < 2; count++) await skills.load(place);
    expect(questions).toHaveLength(2);
    const declining = hostedSkills({ docs }, { answer: 'always' });
    await expect(declining.skills.load(place)).rejects.toMatchObject({ reason: 'dynamic' });
    expect(declining.questions).toEqual([]);
  });

  it('gives the content between lines that name server and URI, and reads further files when they are needed', async () => {
    shows('ext-skills/skills/origin-tagged', 'ext-skills/skills/untrusted-input');
    const docs = skilled(refunds);
    const { skills, questions, records } = hostedSkills({ docs });
    const skill = await skills.load('docs:refunds', { turn: 't1' });
    expect(docs.reads).toEqual([uri]);
    expect(skill.content).toMatch(
      /^\[skill content [0-9a-f]{24}: server="docs" uri="skill:\/\/refunds\/SKILL.md"; untrusted/,
    );
    expect(skill.content).toContain('# refunds');
    expect(skill.content).not.toContain('description:');
    const file = await skill.read('references/guide.md');
    expect(file.content).toMatch(/server="docs" uri="skill:\/\/refunds\/references\/guide.md"; untrusted/);
    await skill.read(guide);
    expect(docs.reads).toEqual([uri, guide]);
    expect(questions).toHaveLength(1);
    expect(
      records.filter(({ outcome }) => outcome === 'done').map((one) => [one.kind, one.name, one.turn]),
    ).toEqual([
      ['skill', uri, 't1'],
      ['resource', guide, 't1'],
      ['resource', guide, 't1'],
    ]);
    skill.release();
    await expect(skill.read('references/guide.md')).rejects.toMatchObject({ reason: 'released' });
  });

  it('reads a nested SKILL.md as a file, and loads it only after an agreement of its own', async () => {
    shows('ext-skills/skills/nested-consent', 'ext-skills/skills/nested-inert');
    const nested = 'skill://refunds/partial/SKILL.md';
    const docs = skilled(
      { ...refunds, [nested]: skillText('partial', { 'allowed-tools': 'run' }) },
      { tools: ['run'] },
    );
    const { skills, questions } = hostedSkills({ docs }, { answer: 'always' });
    const skill = await skills.load(place);
    expect((await skill.read('partial/SKILL.md')).content).toContain('allowed-tools: "run"');
    expect(await skill.requestTools()).toEqual([]);
    await expect(skill.callTool('docs__run')).rejects.toEqual(denied);
    expect(questions).toHaveLength(1);
    await skills.load({ server: 'docs', uri: nested });
    expect(questions.map(({ request }) => request.name)).toEqual([uri, nested]);
  });

  it('takes a read of a SKILL.md as a resource for no load', async () => {
    shows('ext-skills/skills/read-as-resource', 'ext-skills/skills/read-is-no-load');
    const docs = skilled(refunds, { tools: ['run'] });
    const { host, skills, questions } = hostedSkills({ docs }, { policy: allow });
    const { contents } = await host.readResource('docs', uri, { way: 'model' });
    expect(contents).toEqual([expect.objectContaining({ uri, text: refunds[uri] })]);
    await host.callTool('docs__run');
    expect(questions).toEqual([]);
    const skill = await skills.load(place);
    skill.release();
    await skill.read('SKILL.md').catch(() => undefined);
    await host.readResource('docs', uri, { way: 'model' });
    await host.callTool('docs__run');
    expect(questions).toEqual([]);
  });
});

describe('fields that ask for more', () => {
  const asking = {
    [uri]: skillText('refunds', {
      'allowed-tools': 'refund Bash(git:*) mail__send',
      hooks: { start: 'rm' },
    }),
  };

  it('have no effect without consent that names the tools, and calls after it pass policy and user', async () => {
    shows(
      'ext-skills/skills/allowed-tools-ignored',
      'ext-skills/skills/declared-execution',
      'ext-skills/skills/no-authority',
      'ext-skills/skills/no-widening',
    );
    const docs = skilled(asking, { tools: ['refund', 'erase'] });
    const mail = skilled({}, { tools: ['send', 'erase'] });
    const { host, skills, questions, records } = hostedSkills(
      { docs, mail },
      { policy: ({ server }) => (server === 'mail' ? 'deny' : 'ask'), skills: safe },
    );
    const skill = await skills.load(place);
    const kinds = () => questions.map(({ request }) => [request.kind, request.name]);
    expect(kinds()).toEqual([['skill', uri]]);
    await expect(skill.callTool('docs__refund')).rejects.toEqual(denied);
    expect(await skill.requestTools()).toEqual(['docs__refund', 'mail__send']);
    expect(questions[1]?.request).toMatchObject({
      kind: 'skill-tools',
      tools: [
        { server: 'docs', name: 'refund' },
        { server: 'mail', name: 'send' },
      ],
    });
    await skill.callTool('docs__refund', { order: 1 }, { callId: 'c1' });
    expect(kinds()).toEqual([
      ['skill', uri],
      ['skill-tools', uri],
      ['tool', 'refund'],
    ]);
    expect(records.at(-1)).toMatchObject({ way: 'skill', callId: 'c1', outcome: 'done' });
    await expect(skill.callTool('mail__send')).rejects.toThrow(/policy does not allow/);
    await expect(skill.callTool('docs__erase')).rejects.toThrow(/is not allowed for the skill/);
    await host.callTool('docs__refund', {}, { way: 'model' });
    expect(kinds().at(-1)).toEqual(['tool', 'refund']);
    expect(docs.ran).toEqual(['refund', 'refund']);
    expect(mail.ran).toEqual([]);
  });

  it('need the user although the policy allows everything, for each set of tools', async () => {
    const grants = memoryGrants();
    const docs = skilled(asking, { tools: ['refund'] });
    const { skills, questions } = hostedSkills({ docs }, { grants, policy: allow, answer: 'always' });
    await (await skills.load(place)).requestTools();
    await (await skills.load(place)).requestTools();
    expect(questions.map(({ request }) => request.kind)).toEqual(['skill-tools']);
    const mail = skilled({}, { tools: ['send'] });
    const wider = hostedSkills({ docs, mail }, { grants, policy: allow, answer: 'no' });
    const skill = await wider.skills.load(place);
    await expect(skill.requestTools()).rejects.toEqual(denied);
    await expect(skill.callTool('docs__refund')).rejects.toEqual(denied);
    expect(wider.questions).toMatchObject([
      { request: { kind: 'skill-tools' }, change: { kind: 'changed' } },
    ]);
    const alone = hostedSkills({ docs }, { policy: allow, consent: undefined as never });
    await expect((await alone.skills.load(place)).requestTools()).rejects.toThrow(/no user to ask/);
  });

  it('end with the skill, and with a change of the tool', async () => {
    const docs = skilled(asking);
    const mail = skilled({}, { tools: ['send'] });
    const { host, skills } = hostedSkills({ docs, mail }, { skills: safe });
    const skill = await skills.load(place);
    expect(await skill.requestTools()).toEqual(['mail__send']);
    await host.servers.remove('mail');
    const input = z.looseObject({ to: z.string() });
    const other = createServer({ name: 'any', version: '1' }).tool('send', { input }, () => 'sent');
    host.servers.add('mail', memoryTarget(other));
    await expect(skill.callTool('mail__send', { to: 'x' })).rejects.toThrow(
      /has changed since it was allowed/,
    );
    expect(await skill.requestTools()).toEqual(['mail__send']);
    expect((await skill.callTool('mail__send', { to: 'x' })).isError).toBe(false);
    skill.release();
    await expect(skill.callTool('mail__send', { to: 'x' })).rejects.toMatchObject({ reason: 'released' });
  });
});
