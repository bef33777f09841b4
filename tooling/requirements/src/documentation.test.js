import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { root } from './rows/read-pages.js';

/** @param {string} path */
const page = (path) => readFileSync(root + path, 'utf8');

describe('the documentation', () => {
  it('tells of what keeps callers, paths and secrets apart', () => {
    const safety = page('docs/safety.md');
    for (const topic of [/handle/i, /roots/i, /redact/i]) expect(safety).toMatch(topic);
    expect(page('docs/http.md')).toMatch(/## Hosts and origins[\s\S]+## Who is calling/);
    expect(page('SECURITY.md')).toContain('## Reporting');
    expect(page('docs/limits.md')).toContain('| option |');
  });

  it('tells how the transport in memory connects and exchanges messages', () => {
    const readme = page('packages/transport-memory/README.md');
    for (const said of ['memoryPair()', 'start(', 'send(', 'close()', 'in order'])
      expect(readme).toContain(said);
  });

  it('tells applications that annotations are the words of the server', () => {
    expect(page('docs/showing.md')).toMatch(
      /`annotations`[^.]* are the server's own words: unless the server is trusted/,
    );
  });

  it('tells authors of handles how long what they open is kept', () => {
    expect(page('docs/safety.md')).toMatch(/description: `[^`]*retention/);
  });
});

describe('the examples', () => {
  it('name resources by schemes other than https', () => {
    const registered = readdirSync(`${root}examples/src`)
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .flatMap((name) => [...page(`examples/src/${name}`).matchAll(/\.resource\(\s*['"`]([^:]+):/g)])
      .map(([, scheme]) => scheme);
    expect(registered.length).toBeGreaterThan(2);
    expect(registered).not.toContain('https');
    expect(registered).not.toContain('http');
  });
});
