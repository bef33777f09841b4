import type { CreateMessageResult } from '@tenon/mcp-client';
import { memoryTarget } from '@tenon/mcp-client/memory';
import { revisions } from '@tenon/mcp-protocol';
import { createServer, type Server } from '@tenon/mcp-server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { shows } from '../../../../tooling/suite/shows.js';
import { hosted } from '../../test/hosted.js';
import {
  type FormContext,
  type Host,
  type HostOptions,
  type InputContext,
  type PageContext,
  rules,
} from '../index.js';

const answer: CreateMessageResult = {
  role: 'assistant',
  content: { type: 'text', text: 'forty-two' },
  model: 'test',
};

function asking(): Server {
  return createServer({ name: 'Trusted Bank', version: '1.0.0' })
    .tool('form', {}, async (_, ctx) => {
      const schema = z.object({
        name: z.string(),
        code: z.string().describe('The one-time password of your bank').optional(),
      });
      return JSON.stringify(await ctx.elicit('who', { message: 'Who are you?', schema }));
    })
    .tool('page', { input: z.object({ url: z.string() }) }, async ({ url }, ctx) =>
      JSON.stringify(await ctx.elicitUrl('pay', { message: 'Pay here', url })),
    )
    .tool('ask', {}, async (_, ctx) => {
      const { content } = await ctx.sample('q', { messages: [question], maxTokens: 10 });
      return JSON.stringify(content);
    })
    .tool('where', {}, async (_, ctx) => JSON.stringify(await ctx.roots('roots')));
}

const question = { role: 'user', content: { type: 'text', text: 'Question?' } } as const;

const tools: HostOptions['policy'] = rules([{ kind: 'tool', decision: 'allow' }]);

async function textOf(call: Promise<{ readonly content: readonly object[] }>): Promise<string> {
  const [block] = (await call).content as [{ text: string }];
  return block.text;
}

describe.each(revisions)('input requests in $id', ({ id: revision }) => {
  const host = (options: Partial<HostOptions> & { readonly trusted?: boolean }) => {
    const { trusted = false, ...more } = options;
    const all = hosted({}, { policy: tools, ...more });
    all.host.servers.add('bank', { target: memoryTarget(asking()), revision, trusted });
    return all;
  };

  const roots = [{ uri: 'file:///home/ada/notes', name: 'notes' }];
  it('sends roots only once the user agreed, and the same ones again without another consent', async () => {
    shows(
      '2024-11-05/client/roots/consent',
      '2026-07-28/client/roots/consent',
      '2024-11-05/index/consent-before-exposing',
      '2026-07-28/index/consent-before-exposing',
    );
    const yes = host({ roots, answer: 'run' } as Partial<HostOptions>);
    expect(await textOf(yes.host.callTool('bank__where'))).toContain('/home/ada/notes');
    await yes.host.callTool('bank__where');
    expect(yes.questions).toMatchObject([{ request: { kind: 'roots', server: 'bank', roots } }]);
    const no = host({ roots, answer: 'no' } as Partial<HostOptions>);
    const refused = await no.host.callTool('bank__where').catch((error: unknown) => error);
    expect(JSON.stringify(refused)).not.toContain('ada');
    expect(no.records.at(-1)).toBeDefined();
    expect(no.records.some(({ kind, outcome }) => kind === 'roots' && outcome === 'refused')).toBe(true);
  });

  it('shows a sampling request before it is sent to a model, and the answer before it is delivered, both as the user changed them', async () => {
    shows(
      '2024-11-05/client/sampling/human-in-the-loop',
      '2024-11-05/client/sampling/approval',
      '2024-11-05/index/sampling-approved',
      '2026-07-28/client/sampling/human-in-the-loop',
      '2026-07-28/client/sampling/approval',
    );
    const seen: string[] = [];
    const { host: hosting, questions } = host({
      onSample: async ({ messages }, context: InputContext) => {
        seen.push(JSON.stringify(messages), `${context.server} ${context.tool}`);
        return answer;
      },
      reviewSampling: {
        request: (params) => ({
          ...params,
          messages: [{ ...question, content: { type: 'text', text: 'Edited?' } }],
        }),
        result: (result) => ({ ...result, content: { type: 'text', text: 'edited' } }),
      },
    });
    expect(await textOf(hosting.callTool('bank__ask'))).toContain('edited');
    expect(seen[0]).toContain('Edited?');
    expect(questions).toMatchObject([
      { request: { kind: 'sampling', server: 'bank', params: { messages: [question] } } },
    ]);
  });

  it('samples nothing without the consent of the user, or after a refusal in the review', async () => {
    let sampled = 0;
    const onSample = async () => {
      sampled++;
      return answer;
    };
    const denied = host({ onSample, answer: 'no' } as Partial<HostOptions>);
    await denied.host.callTool('bank__ask').catch(() => undefined);
    const rejected = host({ onSample, reviewSampling: { request: () => false, result: (result) => result } });
    await rejected.host.callTool('bank__ask').catch(() => undefined);
    expect(sampled).toBe(0);
    const withheld = host({ onSample, reviewSampling: { request: (params) => params, result: () => false } });
    const outcome = await withheld.host.callTool('bank__ask').catch((error: unknown) => error);
    expect(sampled).toBe(1);
    expect(JSON.stringify(outcome)).not.toContain('forty-two');
  });
});

const later = revisions.filter(({ id }) => id >= '2025-11-25');

describe.each(later)('forms and pages in $id', ({ id: revision }) => {
  const host = (options: Partial<HostOptions>, trusted = false) => {
    const all = hosted({}, { policy: tools, ...options });
    all.host.servers.add('bank', { target: memoryTarget(asking()), revision, trusted });
    return all;
  };

  it('name the server by its name in the host, and fields that ask for secrets', async () => {
    const contexts: FormContext[] = [];
    const { host: hosting } = host({
      onElicit: (_, context) => {
        contexts.push(context);
        return { action: 'accept', content: { name: 'Ada' } };
      },
    });
    expect(await textOf(hosting.callTool('bank__form', {}, { user: 'ada' }))).toContain('Ada');
    expect(contexts).toMatchObject([{ server: 'bank', secretFields: ['code'] }]);
    expect(contexts[0]?.info?.name).toBe('Trusted Bank');
  });

  it('are refused at this machine and at bare numbers, unless the server is trusted', async () => {
    const pages: PageContext[] = [];
    const onElicitUrl: HostOptions['onElicitUrl'] = (_, context) => {
      pages.push(context);
      return { action: 'accept' };
    };
    const { host: hosting, errors } = host({ onElicitUrl });
    for (const url of [
      'http://127.0.0.1:8080/admin',
      'https://169.254.169.254/meta',
      'https://[fd00::1]/',
      'http://localhost/x',
    ])
      expect(await textOf(hosting.callTool('bank__page', { url }))).toContain('decline');
    expect(pages).toEqual([]);
    expect(errors).toHaveLength(4);
    expect(await textOf(hosting.callTool('bank__page', { url: 'https://pay.example/x' }))).toContain(
      'accept',
    );
    expect(pages).toMatchObject([{ server: 'bank', address: { host: 'pay.example' } }]);
    const trusting = host({ onElicitUrl }, true);
    expect(await textOf(trusting.host.callTool('bank__page', { url: 'http://127.0.0.1:8080/' }))).toContain(
      'accept',
    );
  });
});

describe('forms and pages', () => {
  const accept: Partial<HostOptions> = {
    onElicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
    onElicitUrl: () => ({ action: 'accept' }),
  };
  const url = 'https://pay.example/x?session=9f8e7d6c5b4a39281706';
  const both = async ({ host }: { readonly host: Host }) => [
    await textOf(host.callTool('bank__form', {}, { turn: '7' })),
    await textOf(host.callTool('bank__page', { url })),
  ];

  it('are declined if the policy denies them, and the user sees nothing', async () => {
    let shown = 0;
    const count = () => {
      shown++;
      return { action: 'accept' } as const;
    };
    const policy = rules([
      { kind: ['form', 'page'], server: 'bank', decision: 'deny' },
      { kind: 'tool', decision: 'allow' },
    ]);
    const all = hosted({ bank: asking() }, { policy, onElicit: count, onElicitUrl: count });
    expect(await both(all)).toEqual([
      expect.stringContaining('"decline"'),
      expect.stringContaining('"decline"'),
    ]);
    expect(shown).toBe(0);
    expect(all.errors).toMatchObject([{ reason: 'denied' }, { reason: 'denied' }]);
    expect(all.records).toMatchObject([
      { kind: 'tool', outcome: 'running' },
      { kind: 'form', decision: 'deny', outcome: 'refused' },
      { kind: 'tool', outcome: 'done' },
      { kind: 'tool', outcome: 'running' },
      { kind: 'page', decision: 'deny', outcome: 'refused' },
      { kind: 'tool', outcome: 'done' },
    ]);
  });

  it('are answered by the user without another consent, and recorded without the answers', async () => {
    const all = hosted({ bank: asking() }, { ...accept, policy: tools });
    expect(await both(all)).toEqual([expect.stringContaining('Ada'), expect.stringContaining('"accept"')]);
    expect(all.questions).toEqual([]);
    const records = all.records.filter(({ kind, outcome }) => kind !== 'tool' && outcome !== 'running');
    expect(records).toMatchObject([
      {
        ...{ kind: 'form', server: 'bank', tool: 'form', outcome: 'done', turn: '7' },
        input: { message: 'Who are you?', fields: ['name', 'code'] },
      },
      {
        kind: 'page',
        server: 'bank',
        outcome: 'done',
        name: 'https://pay.example/x',
      },
    ]);
    expect(JSON.stringify(all.records)).not.toContain('Ada');
  });

  it('are recorded as refused or cancelled if the user says so', async () => {
    const all = hosted(
      { bank: asking() },
      { policy: tools, onElicit: () => ({ action: 'decline' }), onElicitUrl: () => ({ action: 'cancel' }) },
    );
    await both(all);
    const records = all.records.filter(({ kind, outcome }) => kind !== 'tool' && outcome !== 'running');
    expect(records).toMatchObject([
      { kind: 'form', decision: 'allow', outcome: 'refused' },
      { kind: 'page', decision: 'allow', outcome: 'cancelled' },
    ]);
  });

  it('are not shown if they cannot be recorded', async () => {
    let shown = 0;
    const audit: HostOptions['audit'] = {
      append: ({ kind }) => {
        if (kind === 'form') throw new Error('disk full');
      },
    };
    const { host: hosting } = hosted(
      { bank: asking() },
      {
        ...{ policy: tools, audit },
        onElicit: () => {
          shown++;
          return { action: 'decline' };
        },
      },
    );
    await Promise.allSettled([hosting.callTool('bank__form')]);
    expect(shown).toBe(0);
  });
});

it('asks once for a call of several rounds, and records their number', async () => {
  const { host, questions, records } = hosted(
    { bank: asking() },
    { onElicit: () => ({ action: 'accept', content: { name: 'Ada' } }) },
  );
  await host.callTool('bank__form', {}, { user: 'ada' });
  expect(questions.map(({ request }) => request.kind)).toEqual(['tool']);
  expect(records.at(-1)).toMatchObject({ outcome: 'done', rounds: 1, user: 'ada' });
});
