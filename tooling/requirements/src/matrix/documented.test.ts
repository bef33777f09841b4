import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../../../', import.meta.url);
const page = (path: string) => readFileSync(new URL(path, root), 'utf8').replace(/\s+/g, ' ');

describe('dialects of JSON Schema', () => {
  it('are named on the page of servers', () => {
    expect(page('packages/server/README.md')).toContain('JSON Schema (2020-12, or draft-07 by `$schema`');
  });

  it('are named on the page of clients', () => {
    expect(page('packages/client/README.md')).toMatch(
      /unknown dialect \(2020-12, 2019-09 and draft-07 are known\)/,
    );
  });
});

describe('transports', () => {
  it.each([
    ['stdio', [/stdin/, /newline/, /SIGTERM/, /UTF-8/]],
    ['memory', [/Frames are strings/, /in order/, /`close`/]],
    ['http', [/one JSON body/, /event stream/, /goes away cancels/]],
    ['sse', [/`endpoint` event/, /POSTs/, /cancels what still runs/]],
  ])('%s: its page says how it opens, frames, cancels or ends', (name, wanted) => {
    const text = page(`packages/transport-${name}/README.md`);
    for (const one of wanted) expect(text).toMatch(one);
  });

  it('HTTP+SSE: its page says what replaced it and whom it is for', () => {
    const text = page('packages/transport-sse/README.md');
    expect(text).toContain('the transport of 2024-11-05 that Streamable HTTP replaced');
    expect(text).toContain('for servers and clients that know no other');
  });

  it('of one’s own: a page says how to write one', () => {
    expect(page('packages/session/README.md')).toContain('## Writing a carrier');
  });
});

describe('what is deprecated', () => {
  it.each([
    ['packages/server/src/context.ts', ['log', 'sample', 'roots']],
    ['packages/server/src/server.ts', ['log']],
    ['packages/client/src/client.ts', ['setLogLevel', 'setRoots']],
    ['packages/client/src/options.ts', ['onSample', 'roots', 'onLog', 'logLevel']],
  ])('is marked for editors in %s', (path, members) => {
    const text = page(path);
    for (const member of members)
      expect(text, member).toMatch(new RegExp(`@deprecated (?:(?!\\*/).)*\\*/ (?:readonly )?${member}[<(?]`));
  });
});

describe('what an operator has to know', () => {
  it('stands on the page of HTTP: hosts, origins, callers, TLS', () => {
    const text = page('docs/http.md');
    expect(text).toContain('## Hosts and origins');
    expect(text).toContain('## Who is calling');
    expect(text).toContain('TLS is for what stands in front');
  });

  it('stands on the page of safety: what is kept, paths and secrets', () => {
    expect(page('docs/safety.md')).toMatch(/a caller sees only what is its own/);
  });
});

describe('what authorization asks of those who run it', () => {
  const text = page('docs/authorization.md');

  it('stands on its page: consent for each client of a proxy', () => {
    const section = /### Proxies in front of other APIs (.*?) ### /.exec(text)?.[1];
    expect(section).toMatch(/consent for each client,? before/);
    for (const part of [/approved/, /scopes/, /frame/, /`__Host-`/, /exactly/, /`state`/])
      expect(section).toMatch(part);
  });

  it('stands on its page: no token is passed on', () => {
    expect(text).toMatch(/must never pass on the token to an API behind/);
  });

  it('stands on its page: an egress proxy', () => {
    expect(text).toMatch(/consider an egress proxy/);
  });

  it('stands on its page: who is calling over a carrier of one’s own', () => {
    expect(text).toMatch(/## Carriers of one's own/);
  });
});
