import { expect, test } from 'vitest';
import { locatedNetworkOf, networkOf } from './network.js';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ['::ffff:102:304', '::ffff:102:304'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['2001:db8:1::', '2001:db8:1:0::/64'],
  ['fe80::1:2:3:4:5%eth0', 'fe80:0:0:1::/64'],
  ['::1', '0:0:0:0::/64'],
])('networkOf(%s) is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::6', '2001:db8:1:2::/64'],
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ['::FFFF:0102:0304', '::ffff:102:304'],
  ['tenant:42', 'tenant:42'],
  ['00:1a:2b:3c:4d:5e', '00:1a:2b:3c:4d:5e'],
  ['', ''],
])('locatedNetworkOf(%s) is %s', (located, network) => {
  expect(locatedNetworkOf(located)).toBe(network);
});
