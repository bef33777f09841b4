import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { shows } from '../../suite/shows.js';
import { root } from './rows/read-pages.js';

/** @param {string} path */
const page = (path) => readFileSync(root + path, 'utf8');

describe('the documentation', () => {
  it('describes how callers, paths and secrets are protected', () => {
    shows('2024-11-05/index/documented-security');
    for (const [topic, text] of [
      ['state', 'only its owner can use'],
      ['files', 'insideRoots'],
      ['secrets', 'redact'],
    ])
      expect(page(`docs/guide/servers/${topic}.md`)).toContain(text);
    expect(page('docs/guide/http/deploy.md')).toMatch(/## Hosts and origins[\s\S]+## Who is calling/);
    expect(page('SECURITY.md')).toContain('## Reporting');
    expect(page('docs/reference/limits.md')).toContain('| option |');
  });

  it('describes how the memory transport connects and exchanges messages', () => {
    shows('2024-11-05/basic/transports/custom-documented');
    const readme = page('packages/session/README.md');
    for (const said of ['memoryPair()', 'start(', 'send(', 'close()', 'in order'])
      expect(readme).toContain(said);
  });

  it('says that annotations are untrusted input from the server', () => {
    shows('2025-11-25-server-features/tools/annotations-untrusted');
    expect(page('docs/guide/clients/user-interface.md')).toMatch(
      /`annotations`[^.]* are the server's own words: unless the server is trusted/,
    );
  });

  it('tells authors of handles how long data is kept', () => {
    shows('draft-tools/tools/handle-retention');
    expect(page('docs/guide/servers/state.md')).toMatch(/description: `[^`]*retention/);
  });
});

describe('the guide to skills', () => {
  it('says what a digest of a skill does not show', () => {
    shows('ext-skills/skills/digest-no-boundary');
    expect(page('docs/guide/extensions/skills.md')).toMatch(/does not show that\s+either is trustworthy/);
  });
});

describe('the documentation of tasks', () => {
  it('says what happens without the extension', () => {
    shows('2026-07-28/basic/versioning/extension-fallback-documented');
    expect(page('docs/decisions/026-tasks.md')).toContain('A client without tasks gets an ordinary call.');
  });

  it('says who can read a task that belongs to no principal', () => {
    shows('2025-11-25-tasks/tasks/unbound-documented');
    expect(page('docs/decisions/026-tasks.md')).toMatch(/without a principal[^.]* callers that know its id/);
  });

  it('has the limits of their time and their number', () => {
    shows('2025-11-25-tasks/tasks/ttl-documented', '2025-11-25-tasks/tasks/concurrent-documented');
    const limits = page('docs/reference/limits.md');
    expect(limits).toMatch(/\| `tasks`: `maxTtl` \| 24 h/);
    expect(limits).toMatch(/\| `tasks`: `limits\.perCaller` \| 1,000 \| tasks of one principal/);
  });
});

describe('the examples', () => {
  it('use resources with schemes other than https', () => {
    shows('2024-11-05/server/resources/https-when-direct', '2024-11-05/server/resources/other-schemes');
    const registered = readdirSync(`${root}examples/src`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .flatMap((name) => [...page(`examples/src/${name}`).matchAll(/\.resource\(\s*['"`]([^:]+):/g)])
      .map(([, scheme]) => scheme);
    expect(registered.length).toBeGreaterThan(2);
    expect(registered).not.toContain('https');
    expect(registered).not.toContain('http');
  });
});
