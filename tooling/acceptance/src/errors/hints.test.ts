import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ClientOptions, connect } from '@tenon/mcp-client';
import { memoryTarget } from '@tenon/mcp-client/memory';
import { createServer, type ServerOptions } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { memoryPair } from '@tenon/mcp-session/memory';
import { connectTest, everyRevision, FakeClock } from '@tenon/mcp-testing';
import { describe, expect, it } from 'vitest';

const info = { name: 'test', version: '1.0.0' };
const packages = fileURLToPath(new URL('../../../../packages/', import.meta.url));

const connects = async (options: Partial<ClientOptions>) => {
  const client = await connect(memoryTarget(createServer(info)), { info, ...options });
  await client.close();
};
const calls = async (options: object) => {
  const client = await connect(memoryTarget(createServer(info).tool('t', {}, () => 'here')), { info });
  await client.callTool('t', {}, options);
  await client.close();
};
const serves = async (options: ServerOptions) => void createServer(info, options);

/** No server listens there: the test only needs the options to be accepted. */
const dials = (options: Partial<ClientOptions>) =>
  expect(connect('http://127.0.0.1:1/', { info, ...options })).rejects.not.toBeInstanceOf(TypeError);
const servesHttp = async () => {
  const http = await serveHttp(createServer(info), { host: '127.0.0.1', port: 0, health: true });
  await http.close();
};

/** Options in error texts, each passed to the functions in these texts. */
const accepted: Readonly<Record<string, readonly (() => Promise<void>)[]>> = {
  timeout: [() => calls({ timeout: 5_000 })],
  total: [() => calls({ total: 5_000 })],
  connectTimeout: [() => connects({ connectTimeout: 5_000 })],
  revision: [() => connects({ revision: everyRevision[0] as string })],
  auth: [() => dials({ auth: { authorizer: () => ({ authorize: () => ({}) }) } as never })],
  headers: [() => dials({ headers: {} })],
  health: [servesHttp],
  redact: [() => connects({ redact: false }), () => serves({ redact: false })],
  exposeErrors: [() => serves({ exposeErrors: true })],
  maxRounds: [() => calls({ maxRounds: 5 })],
  limits: [() => connects({ limits: { listBytes: 5_000_000 } })],
  'limits.listBytes': [() => connects({ limits: { listBytes: 5_000_000 } })],
  'limits.drain': [() => serves({ limits: { drain: 5_000 } })],
  'limits.requestTimeout': [
    () => connects({ limits: { requestTimeout: 5_000 } }),
    () => serves({ limits: { requestTimeout: 5_000 } }),
  ],
  'limits.requestTotal': [
    () => connects({ limits: { requestTotal: 5_000 } }),
    () => serves({ limits: { requestTotal: 5_000 } }),
  ],
  'keepAlive.interval': [
    () => connects({ keepAlive: { interval: 5_000 } }),
    () => serves({ keepAlive: { interval: 5_000 } }),
  ],
};

/** Words that the search finds besides: "leave the option out", the option of a tool, and code. */
const notOptions: ReadonlySet<string> = new Set([
  'out',
  'output',
  'options.timeoutOption',
  'string',
  'undefined',
]);

/** Returns the option names in the error texts of a package: client, server, session or transport. */
function hintsIn(folder: string): readonly string[] {
  const files = readdirSync(`${packages}${folder}/src`, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
    .flatMap((file) => {
      const code = readFileSync(`${packages}${folder}/src/${file}`, 'utf8').replace(
        /^\s*(?:\*|\/\/|\/\*).*$/gm,
        '',
      );
      return [
        ...code.matchAll(
          /(?:the option|or name one with|timeoutOption:|timeoutOption =|, or set) ["'`]?([a-zA-Z.]+)/g,
        ),
      ];
    })
    .map(([, name = '']) => name.replace(/\.$/, ''));
}

describe('an option in an error text', () => {
  it.each(['client', 'server', 'session', 'transport-http', 'protocol'])('is in the table: %s', (folder) => {
    const unknown = hintsIn(folder).filter((name) => !Object.hasOwn(accepted, name) && !notOptions.has(name));
    expect(unknown).toEqual([]);
  });

  it('occurs in the sources', () => {
    expect(hintsIn('client')).toEqual(expect.arrayContaining(['connectTimeout', 'revision', 'timeout']));
    expect(hintsIn('session')).toContain('limits.requestTimeout');
  });

  it.each(Object.entries(accepted))('is accepted by the function in the text: %s', async (_, uses) => {
    for (const use of uses) await use();
  });
});

describe('a time limit', () => {
  const optionIn = (error: unknown) => /the option "([\w.]+)"/.exec((error as Error).message)?.[1];

  it('of the handshake is set with an option of connect', async () => {
    const clock = new FakeClock();
    const silent = { open: () => memoryPair()[0], restartable: false };
    const failing = connect(silent, { info, clock, revision: '2025-11-25' }).catch((error: unknown) => error);
    await clock.advance(65_000);
    expect(optionIn(await failing)).toBe('connectTimeout');
  });

  it.each(everyRevision)('of a call is set with an option of the call in %s', async (revision) => {
    const clock = new FakeClock();
    const server = createServer(info).tool('t', {}, () => new Promise<string>(() => undefined));
    await using made = await connectTest(server, { revision, client: { clock } });
    const failing = made.client.callTool('t').catch((error: unknown) => error);
    await clock.advance(60_000);
    expect(optionIn(await failing)).toBe('timeout');
  });
});
