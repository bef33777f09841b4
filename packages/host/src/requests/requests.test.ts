import { createServer } from '@tenon/mcp-server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hosted, serverWith } from '../../test/hosted.js';
import type { AuditRecord, HostOptions } from '../index.js';

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
  // A new way that does not use the one path of requests lacks a record here.
  it('passes the policy and the audit log', async () => {
    const server = createServer({ name: 'any', version: '1' })
      .tool('a', {}, () => 'a')
      .resource('text:r', { name: 'r' }, () => 'r')
      .prompt('p', {}, () => 'p');
    const seen: string[] = [];
    const policy: HostOptions['policy'] = ({ kind, origin }) => {
      seen.push(`${kind} ${origin.way}`);
      return 'allow';
    };
    const { host, records } = hosted({ one: server }, { policy });
    const origin = { user: 'ada' };
    await host.callTool('one__a', {}, origin);
    await host.callTool({ server: 'one', tool: 'a' }, {}, { ...origin, way: 'app' });
    await host.readResource('one', 'text:r', origin);
    await host.getPrompt('one', 'p', origin);
    expect(seen).toEqual(['tool direct', 'tool app', 'resource direct', 'prompt direct']);
    expect(
      records.filter(({ outcome }) => outcome === 'done').map(({ kind, way }) => `${kind} ${way}`),
    ).toEqual(seen);
    const denying = hosted({ one: server }, { policy: () => 'deny' });
    const outcomes = await Promise.allSettled([
      denying.host.callTool('one__a'),
      denying.host.readResource('one', 'text:r'),
      denying.host.getPrompt('one', 'p'),
    ]);
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.reason)).toEqual([
      'denied',
      'denied',
      'denied',
    ]);
  });
});
