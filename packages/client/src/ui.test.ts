import type { Revision, UnknownObject } from '@tenon/mcp-protocol';
import { revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { showsBy } from '../../../tooling/suite/shows.js';
import { settled } from '../../testing/src/fake-clock.js';
import { HttpPeer } from '../test/http-peer.js';
import { linked } from '../test/linked.js';
import { ScriptedServer } from '../test/scripted-server.js';
import { serverScript } from '../test/scripts.js';
import { consentToUrl, type UrlConsent } from './ui.js';

/** Returns the response to an elicitation of this URL in this revision. */
async function asked(
  revision: Revision,
  url: string,
  consent: UrlConsent,
): Promise<UnknownObject | undefined> {
  const params = {
    mode: 'url',
    message: '\u001b[2JYour key is \u202eneeded.',
    url,
    ...(revision.rules.urlElicitationError && { elicitationId: 'e1' }),
  };
  const ask = { method: 'elicitation/create', params };
  let answer: UnknownObject | undefined;
  const server = new ScriptedServer(
    serverScript(revision, {
      'tools/call': async ({ inputResponses }, peer) => {
        if (revision.lifecycle === 'handshake') answer = (await peer.ask(ask.method, params)).result;
        else answer = (inputResponses as { key: UnknownObject } | undefined)?.key;
        const isAsking = revision.lifecycle === 'stateless' && answer === undefined;
        return isAsking ? { resultType: 'input_required', inputRequests: { key: ask } } : { content: [] };
      },
    }),
  );
  const client = await linked(server, { onElicitUrl: consentToUrl(consent) });
  await client.callTool('x').catch(() => undefined);
  await client.close();
  return answer;
}

describe.each([revision20251125, revision20260728])('a page in $id', (revision) => {
  it('is opened once the user agreed, having seen who asks, why, and the whole address', async () => {
    showsBy(revision.id, {
      '2026-07-28': [
        '2026-07-28/client/elicitation/show-domain',
        '2026-07-28/client/elicitation/no-open-without-consent',
        '2026-07-28/client/elicitation/show-full-url',
        '2026-07-28/client/elicitation/secure-open',
      ],
    });
    const seen: unknown[] = [];
    const answer = await asked(revision, 'https://a.example/key?x=1', {
      confirm: ({ message, address }, { server }) => {
        seen.push(server?.name, message, address.href, address.host);
        return 'accept';
      },
      open: (href) => seen.push('opened', href),
    });
    expect(answer).toEqual({ action: 'accept' });
    expect(seen).toEqual([
      'scripted',
      'Your key is needed.',
      'https://a.example/key?x=1',
      'a.example',
      'opened',
      'https://a.example/key?x=1',
    ]);
  });

  it.each(['decline', 'cancel'] as const)('is not opened when the user chooses %s', async (action) => {
    showsBy(revision.id, { '2026-07-28': '2026-07-28/client/elicitation/no-open-without-consent' });
    const opened: string[] = [];
    const open = (href: string) => opened.push(href);
    expect(await asked(revision, 'https://a.example/', { confirm: () => action, open })).toEqual({ action });
    expect(opened).toEqual([]);
  });

  it('is never fetched by this program, whatever the user says', async () => {
    showsBy(revision.id, {
      '2026-07-28': [
        '2026-07-28/client/elicitation/no-prefetch',
        '2026-07-28/client/elicitation/secure-open',
      ],
    });
    const page = await HttpPeer.start((call) => call.raw(200));
    for (const action of ['decline', 'accept'] as const) {
      await asked(revision, page.url, { confirm: () => action, open: () => undefined });
    }
    expect(page.calls).toEqual([]);
  });

  it('that is not fit to be visited is refused before the user is asked', async () => {
    const seen: unknown[] = [];
    const consent: UrlConsent = {
      confirm: () => {
        seen.push('asked');
        return 'accept';
      },
      open: () => seen.push('opened'),
    };
    await asked(revision, 'http://a.example/', consent);
    await asked(revision, 'javascript:alert(1)', consent);
    expect(seen).toEqual([]);
  });

  it('that cannot be opened is cancelled', async () => {
    const failures: unknown[] = [];
    const answer = await asked(revision, 'https://a.example/', {
      confirm: () => 'accept',
      open: () => Promise.reject(new Error('no browser')),
      onFailed: (error) => failures.push(error),
    });
    expect(answer).toEqual({ action: 'cancel' });
    expect(failures).toEqual([new Error('no browser')]);
  });
});

it('a page that is not wanted any more is not opened', async () => {
  const opened: string[] = [];
  const server = new ScriptedServer(serverScript(revision20251125));
  let agree = (_: 'accept') => {};
  const onElicitUrl = consentToUrl({
    confirm: () => new Promise((resolve) => (agree = resolve)),
    open: (href) => opened.push(href),
  });
  await linked(server, { onElicitUrl });
  const params = { mode: 'url', message: '?', url: 'https://a.example/', elicitationId: 'e1' };
  server.peer.ask('elicitation/create', params).catch(() => undefined);
  await settled();
  server.peer.notify('notifications/cancelled', { requestId: 'ask-1' });
  await settled();
  agree('accept');
  await settled();
  expect(opened).toEqual([]);
});

it.each<[object, string]>([
  [{ confirm: () => 'accept' }, 'needs the functions "confirm" and "open"'],
  [{ confirm: () => 'accept', open: 'xdg-open' }, 'consentToUrl: open must be a function.'],
  [{ confirm: () => 'accept', open: () => {}, onFail: () => {} }, 'there is no option "onFail"'],
])('consent without what it needs is not a handler: %o', (consent, message) => {
  const making = () => consentToUrl(consent as unknown as UrlConsent);
  expect(making).toThrow(TypeError);
  expect(making).toThrow(message);
});
