import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { shows } from '../../../suite/shows.js';

const root = new URL('../../../../', import.meta.url);
const page = (path: string) => readFileSync(new URL(path, root), 'utf8').replace(/\s+/g, ' ');

describe('dialects of JSON Schema', () => {
  beforeEach(() => shows('2026-07-28/basic/index/dialects-documented'));

  it('are listed on the page of servers', () => {
    expect(page('packages/server/README.md')).toContain('JSON Schema (2020-12, or draft-07 by `$schema`');
  });

  it('are listed on the page of clients', () => {
    expect(page('packages/client/README.md')).toMatch(
      /unknown dialect \(2020-12, 2019-09 and draft-07 are known\)/,
    );
  });
});

describe('transports', () => {
  beforeEach(() => shows('2026-07-28/basic/transports/index/custom-documented'));

  it.each([
    ['stdio', 'transport-stdio', [/stdin/, /newline/, /SIGTERM/, /UTF-8/]],
    ['memory', 'session', [/Frames are strings/, /in order/, /`close`/]],
    ['http', 'transport-http', [/one JSON body/, /event stream/, /a request is cancelled when its\s+client/]],
    ['sse', 'transport-sse', [/`endpoint` event/, /POSTs/, /cancels running requests/]],
  ])('%s: its page describes how it opens, frames, cancels or ends', (_, folder, wanted) => {
    const text = page(`packages/${folder}/README.md`);
    for (const one of wanted) expect(text).toMatch(one);
  });

  it('HTTP+SSE: its page names its successor and its users', () => {
    shows('2026-07-28/basic/transports/streamable-http/sse-not-adopted', '2026-07-28/deprecated/migrate');
    const text = page('packages/transport-sse/README.md');
    expect(text).toContain('the transport of 2024-11-05 that Streamable HTTP replaced');
    expect(text).toContain('for servers and clients that support no other');
  });

  it('custom: a page describes how to write one', () => {
    expect(page('packages/session/README.md')).toContain('## Writing a transport');
  });
});

describe('deprecated members', () => {
  it.each([
    ['packages/server/src/context/context.ts', ['log', 'sample', 'roots']],
    ['packages/server/src/server.ts', ['log']],
    ['packages/client/src/client.ts', ['setLogLevel', 'setRoots']],
    ['packages/client/src/options.ts', ['onSample', 'roots', 'onLog', 'logLevel']],
  ])('are marked for editors in %s', (path, members) => {
    shows(
      '2026-07-28/client/roots/not-adopted',
      '2026-07-28/client/roots/migrate',
      '2026-07-28/client/sampling/not-adopted',
      '2026-07-28/client/sampling/migrate',
      '2026-07-28/deprecated/not-adopted',
      '2026-07-28/deprecated/migrate',
      '2026-07-28/server/utilities/logging/not-adopted',
      '2026-07-28/server/utilities/logging/migrate',
    );
    const text = page(path);
    for (const member of members)
      expect(text, member).toMatch(new RegExp(`@deprecated (?:(?!\\*/).)*\\*/ (?:readonly )?${member}[<(?]`));
  });
});

describe('notes for operators', () => {
  beforeEach(() => shows('2026-07-28/index/security-documented'));

  it('are on the page of HTTP: hosts, origins, callers, TLS', () => {
    const text = page('docs/guide/http/deploy.md');
    expect(text).toContain('## Hosts and origins');
    expect(text).toContain('## Who is calling');
    expect(text).toContain('TLS is the task of the proxy');
  });

  it('are on the page of safety: stored data, paths and secrets', () => {
    expect(page('docs/guide/servers/state.md')).toContain('only the caller who opened one can use it');
    expect(page('docs/guide/servers/files.md')).toContain('reject every path that leaves the folders');
    expect(page('docs/guide/servers/secrets.md')).toContain('without credentials');
  });
});

describe('notes on authorization for operators', () => {
  const upstream = page('docs/guide/authorization/upstream.md');

  it('are on its page: consent for each client of a proxy', () => {
    shows('2026-07-28/basic/authorization/security-considerations/proxy-consent');
    const section = /## Proxies in front of other APIs (.*?) ## /.exec(upstream)?.[1];
    expect(section).toMatch(/consent for each client,? before/);
    for (const part of [/approved/, /scopes/, /frame/, /`__Host-`/, /exactly/, /`state`/])
      expect(section).toMatch(part);
  });

  it('are on its page: tokens are not passed on', () => {
    expect(upstream).toMatch(/must never pass on the token to an API behind/);
  });

  it('are on its page: an egress proxy', () => {
    shows('2026-07-28/security-best-practices/egress-proxy');
    expect(page('docs/guide/authorization/how-it-works.md')).toMatch(/consider an egress proxy/);
  });

  it('are on its page: authentication on a custom transport', () => {
    expect(page('docs/guide/authorization/protect.md')).toMatch(/## Other transports/);
  });
});
