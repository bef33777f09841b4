import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { addressProblem, readAddress } from './page-address.js';

describe('an address that is rejected', () => {
  it.each([
    ['javascript:alert(1)', 'https URL'],
    ['data:text/html,<script>', 'https URL'],
    ['file:///etc/passwd', 'https URL'],
    ['ftp://files.example/', 'https URL'],
    ['ws://a.example/', 'https URL'],
    ['vscode://open', 'https URL'],
    ['http://bank.example/', 'https URL'],
    ['http://127.0.0.1.evil.example/', 'https URL'],
    ['http://localhost.evil.example/', 'https URL'],
    ['http://169.254.169.254/latest/meta-data', 'https URL'],
    ['http://[::ffff:127.0.0.1]/', 'https URL'],
    ['https://bank.example@evil.example/', 'without user name'],
    ['https://:secret@evil.example/', 'without user name'],
    ['nonsense', 'expected a URL'],
    ['/relative', 'expected a URL'],
    ['', 'expected a URL'],
    [`https://a.example/${'x'.repeat(8_192)}`, 'at most 8192 characters'],
  ])('%s', (text, why) => {
    expect(addressProblem(text)).toContain(why);
    expect(() => readAddress(text)).toThrow(TypeError);
  });
});

describe('an address to look at', () => {
  it.each<[string, [string, string, string], string[], ...string[]]>([
    [
      'https://login.bank.example/in?next=%2F#top',
      ['https://', 'login.bank.example', '/in?next=%2F#top'],
      [],
      '2026-07-28/client/elicitation/show-domain',
      '2026-07-28/client/elicitation/show-full-url',
    ],
    [
      'https://bank.example.evil.example/',
      ['https://', 'bank.example.evil.example', '/'],
      [],
      '2026-07-28/client/elicitation/highlight-domain',
    ],
    ['https:\\\\A.example\\x', ['https://', 'a.example', '/x'], []],
    ['https://b\u00e4nk.example', ['https://', 'xn--bnk-qla.example', '/'], ['punycode']],
    [
      'https://www.xn--80ak6aa92e.com/',
      ['https://', 'www.xn--80ak6aa92e.com', '/'],
      ['punycode'],
      '2026-07-28/client/elicitation/suspicious-warned',
    ],
    ['https://93.184.216.34/', ['https://', '93.184.216.34', '/'], ['ip-address']],
    ['https://0x5db8d822/', ['https://', '93.184.216.34', '/'], ['ip-address']],
    ['https://[2001:db8::1]:8443/x', ['https://', '[2001:db8::1]', ':8443/x'], ['ip-address', 'port']],
    ['http://127.1:3000/cb', ['http://', '127.0.0.1', ':3000/cb'], ['this-machine', 'port']],
    ['http://localhost/', ['http://', 'localhost', '/'], ['this-machine']],
    ['http://[::1]/', ['http://', '[::1]', '/'], ['this-machine']],
    ['https://a.example/\u202egpj.exe', ['https://', 'a.example', '/%E2%80%AEgpj.exe'], []],
    ['https://a.ex\nample/', ['https://', 'a.example', '/'], []],
  ])('%j is all shown, with its host apart', (...[text, [before, host, after], warned, ...ids]) => {
    shows(...ids);
    const address = readAddress(text);
    expect(address).toMatchObject({ href: `${before}${host}${after}`, before, host, after });
    expect(address.warnings.map(({ kind }) => kind)).toEqual(warned);
    for (const warning of address.warnings) expect(warning.text).toMatch(/^\S.*\.$/);
  });
});

it('an address that grows past the bound when it is encoded is refused', () => {
  const grown = `https://a.example/${'\u4e00'.repeat(1_000)}`;
  expect(addressProblem(grown)).toContain('at most 8192 characters once it is encoded');
  expect(() => readAddress(grown)).toThrow(TypeError);
  expect(addressProblem(`https://a.example/${'\u4e00'.repeat(900)}`)).toBeUndefined();
});
