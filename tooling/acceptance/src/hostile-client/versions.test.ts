import { expect } from 'vitest';
import { discovered, type Heard, initialized, type Lies } from './liar.js';
import type { Posted } from './posted-liar.js';
import { handshake, type Row, type Seen, stateless, table } from './table.js';

const opening = (answer: unknown): Lies => ({ initialize: (heard) => heard.answer(answer) });
const describing = (answer: unknown): Lies => ({ 'server/discover': (heard) => heard.answer(answer) });
const unsupported = (heard: Heard, supported: unknown) => heard.refuse(-32022, 'Not that one', { supported });
/** Responds to the probe when `initialize` arrives. */
function late(isRefused: boolean): Lies {
  let probe: Heard | undefined;
  return {
    'server/discover': (heard) => {
      probe = heard;
    },
    initialize: (heard) => {
      if (isRefused) heard.refuse(-32601, 'No such method');
      probe?.answer(discovered([stateless, handshake]));
      if (!isRefused) heard.answer(initialized(handshake));
    },
  };
}
const broken = ({ response, message }: Posted) => {
  const error = { code: -32603, message: 'Broken' };
  response.writeHead(500, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }));
};
const none: Seen = { error: 'SessionError', why: 'no-common-revision', text: /^.{1,400}$/ };
const notValid = (text: RegExp): Seen => ({ error: 'SessionError', why: 'invalid-answer', text });
const old: Pick<Row, 'connecting' | 'revisions'> = { connecting: true, revisions: [handshake] };
const young: Pick<Row, 'connecting' | 'revisions'> = { connecting: true, revisions: [stateless] };

table('handshakes', [
  ...['1999-01-01', '', '2025-11-25 ', '2025-06-18', stateless, 'x'.repeat(100_000)].map(
    (version): Row => ({
      name: `with the version ${JSON.stringify(version.slice(0, 30))}`,
      lies: opening(initialized(version)),
      ...old,
      sees: none,
    }),
  ),
  ...[null, 7, ['2025-11-25'], undefined].map(
    (version): Row => ({
      name: `with ${JSON.stringify(version)} for a version`,
      lies: opening(initialized(version)),
      over: ['http'],
      ...old,
      sees: notValid(/protocolVersion/),
    }),
  ),
  ...[null, [], 'ok', {}].map(
    (answer): Row => ({
      name: `with the result ${JSON.stringify(answer)}`,
      lies: opening(answer),
      over: ['http'],
      ...old,
      sees: notValid(/result/),
    }),
  ),
  {
    name: 'with capabilities that are a list',
    lies: opening(initialized(handshake, 7)),
    over: ['http'],
    ...old,
    sees: notValid(/capabilities/),
  },
  {
    name: 'with no name of the server',
    lies: opening({ protocolVersion: handshake, capabilities: {}, serverInfo: {} }),
    over: ['http'],
    ...old,
    sees: notValid(/serverInfo/),
  },
  {
    name: 'with a megabyte of instructions',
    lies: opening({ ...initialized(handshake), instructions: 'x'.repeat(2 ** 20) }),
    ...old,
    sees: { error: 'SessionError', why: 'limit', text: /introduces itself at too great a length/ },
  },
  {
    name: 'with 100,000 capabilities',
    lies: opening(
      initialized(handshake, {
        experimental: Object.fromEntries(Array.from({ length: 1e5 }, (_, n) => [`x${n}`, {}])),
      }),
    ),
    ...old,
    sees: { error: 'SessionError', why: 'limit', text: /introduces itself at too great a length/ },
  },
  {
    name: 'with no answer',
    lies: { initialize: () => {} },
    over: ['http'],
    ...old,
    waits: 60_000,
    sees: { error: 'SessionError', why: 'timeout', text: /initialize was not answered within 60000 ms/ },
  },
  {
    name: 'with no answer',
    lies: { initialize: () => {} },
    over: ['stdio'],
    ...old,
    waits: 65_000,
    sees: { error: 'SessionError', why: 'timeout', text: /did not finish the handshake within 65000 ms/ },
  },
  {
    name: 'with progress and no answer',
    lies: {
      initialize: (heard) =>
        heard.flood(1_000, (progress) => ({
          method: 'notifications/progress',
          params: { progressToken: heard.id, progress },
        })),
    },
    over: ['http'],
    ...old,
    waits: 60_000,
    sees: { error: 'SessionError', why: 'timeout', text: /initialize was not answered within 60000 ms/ },
  },
  {
    name: 'with an error',
    lies: { initialize: (heard) => heard.refuse(-32603, 'Not today') },
    ...old,
    sees: { error: 'RemoteError', why: -32603, text: /^Not today$/ },
  },
  {
    name: 'with questions before the answer',
    lies: {
      initialize: (heard) => {
        void heard.say({ id: 'q', method: 'roots/list' });
        if (heard.message.id !== undefined) heard.answer(initialized(handshake));
      },
    },
    revisions: [handshake],
    options: { roots: [] },
    act: async ({ liar }) => (await liar.answers(1))[0]?.result,
    sees: { result: { roots: [] } },
  },
]);

table('descriptions', [
  ...[[], ['1999-01-01'], [handshake], ['__proto__'], Array.from({ length: 50_000 }, (_, n) => `v${n}`)].map(
    (versions): Row => ({
      name: `with the versions ${JSON.stringify(versions).slice(0, 30)}`,
      lies: describing(discovered(versions)),
      over: ['http'],
      ...young,
      sees: none,
    }),
  ),
  ...[null, stateless, [7], {}, undefined].map(
    (versions): Row => ({
      name: `with ${JSON.stringify(versions)} for versions`,
      lies: describing(discovered(versions)),
      over: ['http'],
      ...young,
      sees: notValid(/supportedVersions/),
    }),
  ),
  {
    name: 'with a megabyte of instructions',
    lies: describing({ ...discovered([stateless]), instructions: 'x'.repeat(2 ** 20) }),
    over: ['stdio', 'http'],
    ...young,
    sees: { error: 'SessionError', why: 'limit', text: /introduces itself at too great a length/ },
  },
  {
    name: 'that refuse the revision they name, for ever',
    lies: { 'server/discover': (heard) => unsupported(heard, [stateless]) },
    ...young,
    chooses: true,
    sees: { error: 'SessionError', why: 'no-common-revision', text: /^.{1,400}$/ },
    afterwards: ({ liar }) => expect(liar.count('server/discover')).toBeLessThan(4),
  },
  {
    name: 'that name nothing, and refuse the handshake too',
    lies: {
      'server/discover': (heard) => unsupported(heard, []),
      initialize: (heard) => unsupported(heard, []),
    },
    ...young,
    chooses: true,
    sees: none,
  },
  {
    name: 'that send the client to a handshake that sends it back',
    lies: {
      'server/discover': (heard) => unsupported(heard, [handshake]),
      initialize: (heard) => unsupported(heard, [stateless]),
    },
    ...young,
    chooses: true,
    sees: { error: 'RemoteError', why: -32022, text: /^Not that one$/ },
    afterwards: ({ liar }) => expect(liar.heard.length).toBeLessThan(5),
  },
  ...(['at once, with the answer to initialize behind it', 'after initialize was refused'] as const).map(
    (when): Row => ({
      name: `that come late, ${when}`,
      lies: late(when === 'after initialize was refused'),
      over: ['stdio'],
      ...young,
      chooses: true,
      waits: 5_000,
      sees: { result: expect.objectContaining({ revision: stateless }) },
      afterwards: async (stage) => {
        await stage.serves();
        expect(stage.liar.heard.map(({ method }) => method)).not.toContain('notifications/initialized');
        expect(stage.reported).toEqual([]);
      },
    }),
  ),
  {
    name: 'that are HTTP 500 with an error, before a handshake that works',
    raw: { 'server/discover': broken },
    over: ['http'],
    ...old,
    chooses: true,
    sees: { result: expect.objectContaining({ revision: handshake }) },
    reported: /^server\/discover: .+HTTP 500/,
    afterwards: (stage) => stage.serves(),
  },
  {
    name: 'that are HTTP 500 with an error, before a handshake that is refused',
    raw: { 'server/discover': broken },
    lies: { initialize: (heard) => heard.refuse(-32000, 'Not here') },
    over: ['http'],
    ...old,
    chooses: true,
    sees: { error: 'RemoteError', why: -32603, text: /^Broken .+Not here.+option "revision"/ },
  },
  {
    name: 'that never come',
    lies: { 'server/discover': () => {}, initialize: () => {} },
    over: ['http'],
    ...young,
    chooses: true,
    waits: 60_000,
    sees: { error: 'SessionError', why: 'timeout', text: /name one with "revision"/ },
  },
]);

table('versions that change', [
  {
    name: 'a server that does not know the revision any more when called',
    lies: { 'tools/call bad': (heard) => unsupported(heard, ['1999-01-01']) },
    over: ['http'],
    revisions: [stateless],
    act: (stage) => stage.drive(stage.client.callTool('bad')),
    sees: { error: 'RemoteError', why: -32022, text: /^Not that one$/ },
    afterwards: ({ liar }) => expect(liar.count('tools/call bad')).toBe(4),
  },
  {
    name: 'a server that names another revision after it was lost',
    lies: changing((heard, count) => heard.answer(initialized(count === 1 ? handshake : '1999-01-01'))),
    over: ['stdio'],
    act: async (stage) => {
      const lost = stage.client.callTool('bad');
      await expect(lost).rejects.toMatchObject({ name: 'SessionError', reason: 'closed' });
      return stage.drive(stage.client.callTool('good'));
    },
    sees: { error: 'SessionError', why: 'closed', text: /6 attempts did not bring it back.*1999-01-01/ },
    serves: false,
    afterwards: ({ liar }) => expect(liar.count('initialize')).toBe(7),
  },
  {
    name: 'an older revision after it was lost, where the client may choose',
    lies: changing((heard, count) => heard.answer(initialized(count === 1 ? handshake : '2025-06-18')), {
      'server/discover': (heard) => heard.refuse(-32601, 'No'),
    }),
    over: ['stdio'],
    chooses: true,
    act: async (stage) => {
      await stage.client.callTool('bad').catch(() => undefined);
      await stage.drive(stage.client.callTool('good'));
      return stage.client.revision;
    },
    sees: { result: '2025-06-18' },
  },
  {
    name: 'what only another revision has, in an answer',
    lies: {
      'tools/call bad': (heard) =>
        heard.answer({ resultType: 'input_required', inputRequests: {}, requestState: 'x', content: [] }),
    },
    revisions: [handshake],
    sees: { result: expect.objectContaining({ content: [] }) },
  },
  {
    name: 'a server that wants to initialize the client',
    lies: {
      'tools/call bad': (heard) => heard.say({ id: 'turned', method: 'initialize', params: {} }),
      answer: (heard) => heard.way.end(),
    },
    revisions: [handshake],
    act: async ({ client, liar }) => {
      void client.callTool('bad').catch(() => undefined);
      return (await liar.answers(1))[0]?.error?.code;
    },
    sees: { result: -32601 },
  },
]);

function changing(open: (heard: Heard, count: number) => void, more: Lies = {}): Lies {
  let count = 0;
  return {
    ...more,
    initialize: (heard) => open(heard, ++count),
    'tools/call bad': (heard) => heard.way.cut(),
  };
}
