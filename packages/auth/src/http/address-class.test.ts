import { expect, test } from 'vitest';
import { type AddressClass, addressClass } from './address-class.js';

const addresses: readonly (readonly [AddressClass, ...string[]])[] = [
  ['public', '1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'],
  ['public', '2002:808:808::1', '172.15.255.255', '172.32.0.0', '100.63.255.255', '100.128.0.0', '11.0.0.0'],
  ['loopback', '127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  // Octal, hexadecimal, a single number, and fewer than four parts.
  ['loopback', '0177.0.0.1', '0x7f.0.0.1', '0x7f000001', '2130706433', '127.1'],
  ['loopback', '::127.0.0.1', '::7f00:1', '::ffff:0:127.0.0.1', '64:ff9b::127.0.0.1', '2002:7f00:1::'],
  ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', 'fc00::1', 'fd12::1'],
  ['private', 'fec0::1', '::ffff:10.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::808:808', '2002:a00:1::1'],
  // Teredo with inverted bits of 10.0.0.1.
  ['private', '2001:0:53aa:64c::f5ff:fffe'],
  // For documentation, benchmarks, and unassigned ranges.
  [
    'private',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '198.18.0.1',
    '240.0.0.1',
    '2001:db8::1',
    '4000::1',
  ],
  ['barred', '169.254.169.254', '169.254.0.1', 'fe80::1', 'fe80::1%eth0', '::ffff:169.254.169.254'],
  ['barred', '0xa9fea9fe', '2852039166', '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::', '::a9fe:a9fe'],
  ['barred', '224.0.0.1', 'ff02::1', '255.255.255.255', '0.0.0.0', '0', '::', '::ffff:0.0.0.0'],
  ['barred', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254'],
];

for (const [expected, ...spellings] of addresses) {
  test(`${spellings.join(', ')}: ${expected}`, () => {
    for (const text of spellings) expect(addressClass(text), text).toBe(expected);
  });
}

test('names and malformed addresses have no class', () => {
  for (const text of ['localhost', 'example.com', '', '1.2.3.4.5', '256.256.256.256', '10.0.0.1 ', '[::1]']) {
    expect(addressClass(text), text).toBeUndefined();
  }
});
