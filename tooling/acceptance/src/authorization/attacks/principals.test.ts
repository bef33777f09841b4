import type { Revision } from '@tenon/mcp-protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { counted } from '../../hostile-server/counted.js';
import { framesOf, type PostingPeer } from '../../hostile-server/posting.js';
import { type RawHeaders, requestText } from '../../hostile-server/raw-http.js';
import { everyRevision, type Frame, handshakes, oneOfEachKind, textOf } from '../../hostile-server/speech.js';
import type { ProtectedPlace } from './protected-place.js';
import { TwoIssuers } from './two-issuers.js';

const sessions: readonly Revision[] = handshakes.filter((one) => one.rules.resumable);
const stateless = oneOfEachKind[1] as Revision;
const older = handshakes.find((one) => !one.rules.resumable) as Revision;

let town: TwoIssuers;
let place: ProtectedPlace;
beforeAll(async () => {
  town = await TwoIssuers.open();
  place = await town.place({}, [town.honest, town.stranger]);
});
afterAll(() => town.close());

/** The intruders, and the responses they get. */
const intruders: Readonly<
  Record<string, { readonly token: () => Promise<string | undefined>; readonly gets: 401 | 404 }>
> = {
  'another user': { token: () => town.token(place, { subject: 'eve' }), gets: 404 },
  'a user of her name at another issuer': {
    token: () => town.stranger.issueToken({ audience: place.resource, subject: 'ada' }),
    gets: 404,
  },
  'herself, with a token that has expired': {
    token: () => town.token(place, { lifetime: -60_000 }),
    gets: 401,
  },
  'herself, with a token for another server': {
    token: () => town.token(place, { audience: 'https://other.example' }),
    gets: 401,
  },
  nobody: { token: async () => undefined, gets: 401 },
};
const known = Object.entries(intruders).filter(([, { gets }]) => gets === 404);

let cases = 0;
function each(
  name: string,
  body: (revision: Revision, intruder: { token: string | undefined; gets: number }) => Promise<void>,
  { revisions = sessions, who = Object.entries(intruders) } = {},
): void {
  for (const revision of revisions) {
    for (const [intruder, { token, gets }] of who) {
      cases++;
      it(`${name}, by ${intruder} (${revision.id})`, async () =>
        body(revision, { token: await token(), gets }));
    }
  }
}

const ada = async (revision: Revision) => place.peer(revision, await town.token(place)).open();
const bearer = (token: string | undefined): RawHeaders =>
  token === undefined ? { authorization: undefined } : { authorization: `Bearer ${token}` };

const attempts: readonly (readonly [string, (peer: PostingPeer) => readonly [string, string, RawHeaders]])[] =
  [
    ['called in', ({ speech }) => ['POST /mcp', speech.call(1, 'who'), {}]],
    ['notified in', ({ speech }) => ['POST /mcp', speech.notice('notifications/initialized'), {}]],
    ['answered in', () => ['POST /mcp', '{"jsonrpc":"2.0","id":1,"result":{}}', {}]],
    ['listened to', () => ['GET /mcp', '', { accept: 'text/event-stream' }]],
    [
      'taken up from its first event',
      () => ['GET /mcp', '', { accept: 'text/event-stream', 'last-event-id': '1' }],
    ],
    ['ended', () => ['DELETE /mcp', '', {}]],
  ];

describe('the session of another user cannot be', () => {
  for (const [what, attempt] of attempts) {
    each(what, async (revision, { token, gets }) => {
      const peer = await ada(revision);
      const [line, body, more] = attempt(peer);
      place.notes.ran.length = 0;
      const socket = await place.socket();
      socket.write(requestText(line, { ...peer.headersFor(body), ...bearer(token), ...more }, body));
      expect((await socket.count(1)).status).toBe(gets);
      expect(place.notes.ran).toEqual([]);
      expect(await peer.call('who')).toBe(`ada of ${town.honest.issuer}`);
    });
  }
});

/** Starts a call of Ada. Returns the last event id of its stream, and a function that ends the call. */
async function streaming(peer: PostingPeer): Promise<{ readonly event: string; end(): Promise<void> }> {
  const socket = await place.socket();
  const call = peer.speech.request(7, 'tools/call', { name: 'hold', _meta: { progressToken: 1 } });
  socket.write(peer.text(call));
  await socket.until(() => socket.text.includes('notifications/progress'));
  const [, event = ''] = [...socket.text.matchAll(/^id: (.*)$/gm)].at(-1) ?? [];
  return {
    event,
    end: async () => {
      await peer.call('let-go');
      expect(textOf(framesOf(await socket.count(1)).at(-1))).toBe('let go');
    },
  };
}

describe('a running call of another user cannot be', () => {
  each(
    'cancelled under its id',
    async (revision, { token }) => {
      const call = await streaming(await ada(revision));
      const other = await place.peer(revision, token).open();
      const notice = other.speech.notice('notifications/cancelled', { requestId: 7 });
      expect((await other.post(notice)).status).toBe(202);
      await call.end();
    },
    { who: known },
  );

  each(
    'heard of by its last event, in a session of his own',
    async (revision, { token }) => {
      const peer = await ada(revision);
      const call = await streaming(peer);
      expect(call.event).not.toBe('');
      const other = await place.peer(revision, token).open();
      const socket = await place.socket();
      const headers = { ...other.headersFor(''), accept: 'text/event-stream', 'last-event-id': call.event };
      socket.write(requestText('GET /mcp', headers));
      await socket.until(() => socket.text.includes('\r\n\r\n'));
      await call.end();
      expect(await other.call('who')).not.toBe(await peer.call('who'));
      expect(socket.text).not.toContain('let go');
      socket.close();
    },
    { who: known },
  );
});

describe('an input request to another user cannot be', () => {
  each(
    'answered under its id',
    async (revision, { token }) => {
      const peer = await ada(revision);
      const socket = await place.socket();
      socket.write(peer.text(peer.speech.call(7, 'ask')));
      await socket.until(() => /elicitation\/create.*\n\n/s.test(socket.text));
      const [, asked = '{}'] = /data: (\{.*"elicitation\/create".*\})/.exec(socket.text) ?? [];
      const { id } = JSON.parse(asked) as Frame;
      const answer = (text: string) =>
        JSON.stringify({ jsonrpc: '2.0', id, result: { action: 'accept', content: { text } } });
      const other = await place.peer(revision, token).open();
      await other.post(answer('Eve'));
      expect((await peer.post(answer('Ada'))).status).toBe(202);
      expect(textOf(framesOf(await socket.count(1)).at(-1))).toBe('Ada');
    },
    { who: known, revisions: sessions.filter((one) => one.requests.server.has('elicitation/create')) },
  );

  each(
    'answered with its sealed state',
    async (revision, { token }) => {
      const peer = await ada(revision);
      const round = async (by: PostingPeer, more: object = {}) => {
        const [frame] = framesOf(
          await by.post(by.speech.request(1, 'tools/call', { name: 'ask', arguments: {}, ...more })),
        );
        return frame as Frame;
      };
      const { result } = await round(peer);
      const { requestState } = result as { readonly requestState: string };
      const inputResponses = { name: { action: 'accept', content: { text: 'Ada' } } };
      const other = place.peer(revision, token);
      expect(await round(other, { requestState, inputResponses })).toMatchObject({ error: { code: -32602 } });
      expect(textOf(await round(peer, { requestState, inputResponses }))).toBe('Ada');
    },
    { revisions: [stateless], who: known },
  );
});

describe('stored data of another user cannot be', () => {
  each(
    'read under its handle',
    async (revision, { token }) => {
      const peer = await ada(revision);
      const handle = await peer.call('open');
      const other = await place.peer(revision, token).open();
      const never = await other.call('read', { text: `nte_${'a'.repeat(26)}` });
      expect(await other.call('read', { text: handle })).toBe(never);
      expect(await peer.call('read', { text: handle })).toBe('note of ada');
    },
    { revisions: oneOfEachKind, who: known },
  );
});

describe('a tool for another user cannot be', () => {
  each(
    'listed or called',
    async (revision, { token }) => {
      const peer = await ada(revision);
      const other = await place.peer(revision, token).open();
      const listed = async (by: PostingPeer) => (await by.post(by.speech.request(1, 'tools/list'))).body;
      // A name alone does not identify a user.
      const isNamesake = (await other.call('who'))?.startsWith('ada ') === true;
      expect((await listed(peer)).includes('"hidden"')).toBe(true);
      expect((await listed(other)).includes('"hidden"')).toBe(isNamesake);
      const [frame] = framesOf(await other.post(other.speech.call(2, 'hidden')));
      expect(textOf(frame) === 'for Ada alone').toBe(isNamesake);
    },
    { revisions: oneOfEachKind, who: known },
  );
});

describe('an HTTP+SSE session of another user cannot be', () => {
  /** Opens a session. Returns the URL for its messages. */
  async function opened(token: string) {
    const socket = await place.socket();
    socket.write(requestText('GET /sse', { accept: 'text/event-stream', ...bearer(token) }));
    await socket.until(() => /event: endpoint\r?\ndata: .*\n/.test(socket.text));
    const [, path = ''] = /data: (\/messages\S*)/.exec(socket.text) ?? [];
    return { socket, path };
  }

  each(
    'spoken in',
    async (revision, { token, gets }) => {
      const { socket, path } = await opened(await town.token(place));
      const { speech } = place.peer(revision, undefined);
      const type = { 'content-type': 'application/json' };
      const other = await place.socket();
      other.write(requestText(`POST ${path}`, { ...type, ...bearer(token) }, speech.initialize('mine')));
      expect((await other.count(1)).status).toBe(gets);
      expect(socket.text).not.toContain('mine');
      other.write(
        requestText(
          `POST ${path}`,
          { ...type, ...bearer(await town.token(place)) },
          speech.initialize('hers'),
        ),
      );
      await socket.until(() => socket.text.includes('hers'));
    },
    { revisions: [older] },
  );
});

describe('after the expiry of a token', () => {
  for (const revision of [...sessions, older]) {
    cases++;
    it(`the listen stream ends (${revision.id})`, async () => {
      // Only this clock moves.
      const town = await TwoIssuers.open();
      const place = await town.place();
      const token = await town.token(place, { lifetime: 60_000 });
      const socket = await place.socket();
      const accept = { accept: 'text/event-stream' };
      if (revision === older) socket.write(requestText('GET /sse', { ...accept, ...bearer(token) }));
      else {
        const peer = await place.peer(revision, token).open();
        socket.write(requestText('GET /mcp', { ...peer.headersFor(''), ...accept }));
      }
      await socket.until(() => socket.text.includes('\r\n\r\n'));
      const ended = socket.countOrEnd(1);
      await town.clock.advance(120_000);
      await ended;
      const late = await place.socket();
      late.write(requestText('GET /mcp', { ...accept, ...bearer(token) }));
      expect((await late.count(1)).status).toBe(401);
      await town.close();
    });
  }
});
counted(`what is somebody else's, in ${everyRevision.length} revisions`, () => cases);
