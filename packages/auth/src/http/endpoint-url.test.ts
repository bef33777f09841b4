import { expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { endpointUrl, requireAuthorizationUrl } from './endpoint-url.js';

const of = 'https://auth.example';
const name = 'token_endpoint';

test('endpointUrl accepts https, http on this machine, and trusted origins', () => {
  const good = [
    'https://auth.example/token',
    'https://auth.example:8443/token?tenant=1',
    'http://localhost:3000/token',
    'http://127.0.0.1/token',
    'http://[::1]:1/token',
  ];
  for (const text of good) expect(endpointUrl({ text, name, of }).href, text).toBe(text);
  const text = 'http://keycloak:8080/token';
  expect(endpointUrl({ text, name, of, allow: ['http://keycloak:8080'] }).href).toBe(text);
});

test('endpointUrl rejects other URLs, with the name and owner in the error', () => {
  shows('2026-07-28/security-best-practices/https');
  const bad: readonly unknown[] = [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://auth.example/token',
    'com.example.app:/token',
    'http://auth.example/token',
    'http://keycloak:8080/token',
    'https://user:pass@auth.example/token',
    'https://auth.example/token#x',
    'https://auth.example/token#',
    'https://auth.example/to ken',
    ' https://auth.example/token',
    'https://auth.example/to\nken',
    'https:\\\\auth.example/token',
    `https://auth.example/${'x'.repeat(2_048)}`,
    '/token',
    '',
    undefined,
    null,
    7,
    { href: 'https://auth.example' },
  ];
  for (const text of bad) {
    const refused = expect(() => endpointUrl({ text, name, of }), String(text).slice(0, 60));
    refused.toThrow(/^The token_endpoint of https:\/\/auth.example cannot be used: it /);
  }
  const secret = () => endpointUrl({ text: 'https://user:pa55@auth.example/token', name, of });
  expect(secret).toThrow(expect.objectContaining({ reason: 'forbidden-address' }));
  expect(secret).not.toThrow(/pa55/);
});

test('requireAuthorizationUrl accepts only web addresses', () => {
  for (const url of ['https://auth.example/authorize?a=b', 'http://localhost:1/authorize']) {
    expect(() => requireAuthorizationUrl(new URL(url)), url).not.toThrow();
  }
  for (const url of [
    'javascript:alert(1)',
    'file:///bin/sh',
    'ms-settings:x',
    'http://auth.example/',
    'https://u@a.example',
  ]) {
    expect(() => requireAuthorizationUrl(new URL(url)), url).toThrow(
      /^The user is not sent to a [\w-]+: address/,
    );
  }
});
