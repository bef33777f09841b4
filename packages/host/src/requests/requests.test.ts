import type { Middleware } from '@tenon/mcp-client';
import { memoryTarget } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hosted, serverWith } from '../../test/hosted.js';
import { Host } from '../host.js';
import type { AccessRequest, AuditRecord, HostOptions, Way } from '../index.js';

const allow: Partial<HostOptions> = { policy: () => 'allow' };

/** An audit log that fails from its n-th record on. */
function failing(from: number) {
  const records: AuditRecord[] = [];
  return {
    records,
    append(record: AuditRecord) {
      if (records.length + 1 >= from) throw new Error('disk full');
      records.push(record);
    },
  };
}

describe('the audit log', () => {
  it('has one record before a call and one after it, with the same id, and the outcome', async () => {
    const server = createServer({ name: 'any', version: '1' })
      .tool('works', { input: z.looseObject({}) }, () => 'done')
      .tool('fails', {}, () => {
        throw new Error('no');
      })
      .tool('refused', {}, () => 'never');
    const policy: HostOptions['policy'] = ({ name }) => (name === 'refused' ? 'deny' : 'allow');
    const { host, records } = hosted({ one: server }, { policy });
    await host.callTool(
      'one__works',
      { password: 'hunter2', text: 'x' },
      { user: 'ada', turn: '7', callId: 'c', way: 'model' },
    );
    await host.callTool('one__fails');
    await host.callTool('one__refused').catch(() => undefined);
    await host.callTool('one__works', undefined, { total: 1 }).catch(() => undefined);
    expect(records.map(({ name, outcome }) => `${name} ${outcome}`).slice(0, 5)).toEqual([
      'works running',
      'works done',
      'fails running',
      'fails failed',
      'refused refused',
    ]);
    const [before, after] = records;
    expect(before?.id).toBe(after?.id);
    expect(after).toMatchObject({
      ...{ kind: 'tool', server: 'one', way: 'model', user: 'ada', turn: '7', callId: 'c' },
      ...{ decision: 'allow', decidedBy: 'policy', ms: expect.any(Number) },
      input: { text: 'x' },
    });
    expect(JSON.stringify(records)).not.toContain('hunter2');
  });

  it('has only the length of a long input', async () => {
    const { host, records } = hosted({ one: serverWith('a') }, allow);
    await host.callTool('one__a', { text: 'x'.repeat(20_000) });
    expect(records[0]?.input).toEqual({ omitted: '20011 characters' });
  });

  it('refuses a call that it cannot record, before it is sent', async () => {
    let ran = 0;
    const server = createServer({ name: 'any', version: '1' }).tool('a', {}, () => `${++ran}`);
    const { host } = hosted({ one: server }, { ...allow, audit: failing(1) });
    await expect(host.callTool('one__a')).rejects.toMatchObject({
      reason: 'audit',
      message: expect.stringContaining('was not sent'),
      cause: expect.objectContaining({ message: 'disk full' }),
    });
    expect(ran).toBe(0);
  });

  it('reports the error of a request if it cannot record the outcome', async () => {
    const { host, errors } = hosted({ one: serverWith('a') }, { ...allow, audit: failing(2) });
    await expect(host.readResource('one', 'x:y')).rejects.toMatchObject({ reason: 'unrecorded' });
    expect(errors).toMatchObject([{ message: expect.stringMatching(/resource/i) }]);
  });

  it('withholds the result of a call if it cannot record the outcome', async () => {
    const audit = failing(2);
    const { host } = hosted({ one: serverWith('a') }, { ...allow, audit });
    await expect(host.callTool('one__a')).rejects.toMatchObject({
      reason: 'unrecorded',
      message: expect.stringContaining('do not repeat it'),
    });
    expect(audit.records).toHaveLength(1);
  });

  it('is not asked whether a refusal may be refused', async () => {
    const { host, errors } = hosted({ one: serverWith('a') }, { policy: () => 'deny', audit: failing(1) });
    await expect(host.callTool('one__a')).rejects.toMatchObject({ reason: 'denied' });
    expect(errors).toMatchObject([{ reason: 'audit' }]);
  });
});

describe('every way to a server', () => {
  const toolCall = (way: Way) => (host: Host) => host.callTool('one__a', {}, { way });
  // A new way has a row here, or the table does not compile.
  const ways: { readonly [Name in Way]: (host: Host) => Promise<unknown> } = {
    direct: toolCall('direct'),
    app: (host) => host.appServer('one').callTool('a', {}),
    task: toolCall('task'),
    skill: toolCall('skill'),
    model: (host) => host.run([{ id: '1', name: 'one__a', args: {} }]),
    search: (host) => host.run([{ id: '1', name: 'call_tool', args: { name: 'one__a', arguments: {} } }]),
    sampling: (host) => host.callTool('one__samples'),
  };
  // A new method of a host has a row here, or the test of its methods fails.
  const methods: { readonly [Name in keyof Host]: ((host: Host) => Promise<unknown>) | 'no request' } = {
    callTool: (host) => host.callTool('one__a'),
    run: ways.model,
    readResource: (host) => host.readResource('one', 'text:r'),
    appServer: (host) => host.appServer('one').readResource('text:r'),
    getPrompt: (host) => host.getPrompt('one', 'p'),
    ...{ tools: 'no request', modelTools: 'no request', prompts: 'no request', resources: 'no request' },
    ...{ resourceTemplates: 'no request', instructions: 'no request', answerFor: 'no request' },
    ...{ forgetAnswers: 'no request', close: 'no request', servers: 'no request', parts: 'no request' },
  };

  /** A host, the requests that its server received after the lists, and the ways that its policy saw. */
  async function observed(action: 'allow' | 'deny', of: (request: AccessRequest) => boolean = () => true) {
    const sent: string[] = [];
    const seen: string[] = [];
    const server = createServer({ name: 'any', version: '1' })
      .tool('a', {}, () => 'a')
      .tool('samples', {}, async (_, ctx) => {
        const message = { role: 'user', content: { type: 'text', text: '?' } } as const;
        return (await ctx.sample('q', { messages: [message], maxTokens: 1 })).model;
      })
      .resource('text:r', { name: 'r' }, () => 'r')
      .prompt('p', {}, () => 'p');
    const sampled: string[] = [];
    const all = hosted(
      {},
      {
        policy: (request) => {
          seen.push(`${request.kind} ${request.origin.way}`);
          return of(request) ? action : 'allow';
        },
        onSample: async () => {
          sampled.push('sampled');
          return { role: 'assistant', content: { type: 'text', text: '!' }, model: 'm' };
        },
      },
    );
    const middleware: Middleware = (call, next) => {
      sent.push(call.method);
      return next();
    };
    all.host.servers.add('one', { target: memoryTarget(server), middleware: [middleware] });
    await all.host.tools();
    sent.length = 0;
    return { ...all, sent, seen, sampled };
  }

  it.each(Object.entries(ways))('%s: passes the policy and the audit log', async (way, go) => {
    const kind = way === 'sampling' ? 'sampling' : 'tool';
    const { host, records, seen } = await observed('allow');
    await go(host);
    expect(seen).toContain(`${kind} ${way}`);
    const done = records.filter(({ outcome }) => outcome === 'done');
    expect(done.map((record) => `${record.kind} ${record.way}`).sort()).toEqual([...seen].sort());
    const denying = await observed('deny', (request) => request.kind === kind);
    await Promise.allSettled([go(denying.host)]);
    expect(way === 'sampling' ? denying.sampled : denying.sent).toEqual([]);
    const refused = { kind, way, decision: 'deny', outcome: 'refused' };
    expect(denying.records).toContainEqual(expect.objectContaining(refused));
  });

  it('is a method of the host that asks the policy before it sends', async () => {
    const own = Object.getOwnPropertyNames(Host.prototype).filter((name) => name !== 'constructor');
    expect(own.filter((name) => !Object.hasOwn(methods, name))).toEqual([]);
    const { host, sent, records } = await observed('deny');
    const requests = Object.values(methods).filter((method) => method !== 'no request');
    await Promise.allSettled(requests.map((method) => method(host)));
    expect(sent).toEqual([]);
    expect(records.map(({ outcome }) => outcome)).toEqual(requests.map(() => 'refused'));
  });

  it('rejects, and does not throw, for a server that does not exist', async () => {
    const { host } = hosted({}, allow);
    const reason = { reason: 'unknown-server' };
    const outcomes = [
      host.readResource('typo', 'x:y'),
      host.getPrompt('typo', 'p'),
      host.callTool({ server: 'typo', tool: 'a' }),
    ];
    for (const outcome of outcomes) await expect(outcome).rejects.toMatchObject(reason);
  });
});
