import type { Principal } from '@tenon/mcp-protocol';
import type { HttpCall } from '@tenon/mcp-transport-http/server';
import { describe, expect, it } from 'vitest';
import { HeldCall } from '../../test/held-call.js';
import { NotedApplication } from '../../test/noted-application.js';
import { SseMount } from '../server.js';
import type { SseOptions } from './sse-options.js';

const ann: Principal = { id: 'ann', issuer: 'https://one.example' };
const [here, there] = ['203.0.113.1', '203.0.113.2'];

/** A mount without a network, and a function that requests streams. */
function mounted(limits: SseOptions['limits'] = {}) {
  const application = new NotedApplication();
  const mount = new SseMount(application, { limits });
  const open = (remoteAddress: string, principal?: Principal, bounds?: HttpCall['bounds']) => {
    const call = Object.assign(new HeldCall('GET', '/sse'), { remoteAddress, bounds });
    mount.handle(call, principal);
    return call;
  };
  return { application, mount, open };
}

describe('concurrent event streams', () => {
  it('are limited per principal, from any address', () => {
    const { mount, open } = mounted({ sessionsPerPrincipal: 2 });
    const [first] = [open(here, ann), open(there, ann)];
    const refused = open(there, ann);
    expect(refused.status).toBe(503);
    expect(JSON.parse(refused.sent[0] ?? '').error.message).toContain('You hold 2 event streams');
    expect(open(here, { ...ann, id: 'bob' }).status).toBe(200);
    first?.leave();
    expect(open(here, ann).status).toBe(200);
    expect(mount.sessions).toBe(3);
  });

  it('are limited per address without a principal', () => {
    const { open } = mounted({ sessionsPerPrincipal: 2 });
    const [first] = [open(here), open(here)];
    expect(open(here).status).toBe(503);
    expect([open(there).status, open(here, ann).status]).toEqual([200, 200]);
    first?.leave();
    expect(open(here).status).toBe(200);
  });

  it('are limited in total', () => {
    const { open } = mounted({ sessions: 2 });
    expect([open(here), open(there), open('203.0.113.3')].map(({ status }) => status)).toEqual([
      200, 200, 503,
    ]);
  });
});

describe('limits of concurrent exchanges', () => {
  const given = { total: 50, perCaller: 10 };

  it('are those of the server that the transport is mounted at, with one key per caller', () => {
    const { application, open } = mounted();
    open(here, ann, given);
    open(there, ann, given);
    open(there, undefined, given);
    const [first, second, third] = [1, 2, 3].map((number) => application.end(number).connection);
    for (const one of [first, second, third]) expect(one?.bounds).toEqual(given);
    expect(first?.caller).toBe(second?.caller);
    expect(third?.caller).not.toBe(second?.caller);
  });

  it.each([
    ['are its own if it has them', { limits: { exchangesPerPrincipal: 7 }, bounds: given, perCaller: 7 }],
    ['have the defaults of every HTTP server elsewhere', { limits: {}, bounds: undefined, perCaller: 2_500 }],
  ])('%s', (_title, { limits, bounds, perCaller }) => {
    const { application, open } = mounted(limits);
    open(here, undefined, bounds);
    expect(application.end().connection.bounds).toEqual({ total: 10_000, perCaller });
  });
});
