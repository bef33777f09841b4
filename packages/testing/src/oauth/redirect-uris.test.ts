import { expect, test } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { isRegistered, redirectProblem } from './redirect-uris.js';

test.each([
  ['http://127.0.0.1/cb', 'http://127.0.0.1:9/cb', true],
  ['http://127.0.0.1:8/cb', 'http://127.0.0.1:9/cb', true],
  ['http://[::1]:8/cb', 'http://[::1]/cb', true],
  ['http://localhost/cb?a=1', 'http://localhost:3000/cb?a=1', true],
  ['http://localhost', 'http://localhost:3000', true],
  ['http://localhost/cb', 'http://127.0.0.1/cb', false],
  ['http://localhost/cb', 'http://localhost:3000/cb/', false],
  ['http://localhost/cb', 'http://localhost:3000@evil.example/cb', false],
  ['http://localhost/cb', 'http://localhost.evil.example/cb', false],
  ['https://app.example/cb', 'https://app.example:8443/cb', false],
  ['https://app.example/cb', 'https://app.example/cb', true],
  [
    'https://app.example/cb',
    'https://APP.example/cb',
    false,
    '2026-07-28/basic/authorization/security-considerations/redirects-exact',
  ],
  ['com.example.app:/cb', 'com.example.app:/cb', true],
])('isRegistered with %s registered, %s requested: %s', (...[registered, asked, expected, ...ids]) => {
  shows(...ids);
  expect(isRegistered(asked, ['https://first.example/', registered])).toBe(expected);
});

test.each([
  ['https://app.example/cb', { any: true, web: true, native: false }],
  ['http://127.0.0.1/cb', { any: true, web: false, native: true }],
  ['http://localhost:3000/cb', { any: true, web: false, native: true }],
  ['https://localhost/cb', { any: true, web: false, native: false }],
  ['com.example.app:/cb', { any: true, web: false, native: true }],
  ['http://app.example/cb', { any: false, web: false, native: false }],
  ['http://localhost.evil.example/cb', { any: false, web: false, native: false }],
  ['http://127.0.0.1:80@evil.example/cb', { any: false, web: false, native: false }],
  ['https://app.example/cb#part', { any: false, web: false, native: false }],
  ['javascript:alert(1)', { any: false, web: false, native: false }],
  ['data:text/html,x', { any: false, web: false, native: false }],
  ['/cb', { any: false, web: false, native: false }],
])('redirectProblem of %s: %j', (uri, expected) => {
  showsBy(uri, {
    'http://app.example/cb': '2026-07-28/basic/authorization/security-considerations/redirects-https',
  });
  for (const type of ['any', 'web', 'native'] as const)
    expect(redirectProblem(uri, type) === undefined, type).toBe(expected[type]);
});
