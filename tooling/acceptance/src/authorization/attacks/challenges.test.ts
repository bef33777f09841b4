import { expect } from 'vitest';
import { allWays, type ClientRow, clientTable, type Outcome } from './client-table.js';
import { actAsIssuer } from './evil-issuer.js';
import type { Scene } from './scene.js';
import { sendJson } from './web.js';

const honest: Outcome = { result: /^user of / };

/** Sends this challenge to requests without a token. */
function challenges(write: (scene: Scene) => string | readonly string[]): ClientRow['attack'] {
  return (scene) => {
    actAsIssuer(scene.thief);
    const { answer } = scene.thief;
    const document = { resource: scene.place.resource, authorization_servers: [scene.thief.origin] };
    scene.thief.answer = (heard, response) =>
      heard.url === '/metadata' ? sendJson(response, document) : answer(heard, response);
    scene.place.intercept = ({ url = '', headers }, response) => {
      if (url.startsWith('/.well-known') || headers.authorization !== undefined) return false;
      const value = write(scene);
      response.setHeader('www-authenticate', typeof value === 'string' ? value : [...value]);
      response.writeHead(401).end();
      return true;
    };
  };
}

/** Challenges without a usable URL: the client finds the metadata at its default URL. */
const ignored = (name: string, write: (evil: string) => string | readonly string[]): ClientRow => ({
  name,
  attack: challenges(({ thief }) => write(`resource_metadata="${thief.origin}/metadata"`)),
  outcome: honest,
  afterwards: ({ thief }) => expect(thief.heard).toEqual([]),
});

const harmless: readonly ClientRow[] = [
  { ...ignored('nothing', () => ''), ...allWays },
  { ...ignored('of a scheme that nobody knows', (evil) => `Evil ${evil}`), ...allWays },
  ignored('of a scheme that begins so', (evil) => `Bearers ${evil}`),
  ignored('that asks for a name and a password', (evil) => `Basic realm="x", ${evil}`),
  ignored(
    'that hides another in quotation marks',
    (evil) => `Basic realm="x, Bearer ${evil.replaceAll('"', '\\"')}"`,
  ),
  ignored(
    'that hides another behind a backslash',
    (evil) => `Basic realm="x\\", Bearer ${evil.replaceAll('"', '\\"')}"`,
  ),
  ignored('that hides another in a name', (evil) => `Basic x-Bearer ${evil}`),
  ignored(
    'that never closes its quotation marks',
    (evil) => `Basic realm="x, Bearer ${evil.replaceAll('"', '')}`,
  ),
  ignored('of commas', () => ','.repeat(8_000)),
  ignored('of blanks and tabs', () => ' \t'.repeat(4_000)),
  ignored('of quotation marks', () => '"'.repeat(8_000)),
  ignored('of backslashes', () => `Bearer realm="${'\\'.repeat(7_999)}`),
  ignored('of equals signs', () => `Bearer ${'='.repeat(8_000)}`),
  ignored('of a thousand schemes', () => 'x '.repeat(4_000)),
  ignored(
    'of a thousand parameters',
    () => `Bearer ${Array.from({ length: 800 }, (_, n) => `p${n}=x`).join(', ')}`,
  ),
  ignored('of a hundred headers', () => Array(100).fill('Negotiate')),
  ignored('of a hundred headers, the right one at last', (evil) => [
    ...Array(99).fill('Negotiate'),
    `Bearer ${evil}`,
  ]),
  ignored('with a token in place of parameters', () => 'Bearer abc=='),
  ignored('with no parameters', () => 'Bearer'),
  ignored('with nothing but a name', () => 'Bearer resource_metadata'),
  ignored('with what is no address', () => 'Bearer resource_metadata="metadata"'),
  ignored('with a path for an address', () => 'Bearer resource_metadata="/metadata"'),
  ignored('with an empty address', () => 'Bearer resource_metadata='),
  ignored('with letters that fit into no header', () => 'Bearer realm="\u00e9\u00ff"'),
  ignored('with a member of objects', () => 'Bearer __proto__="x", constructor="y", toString="z"'),
  ignored(
    'with an error of its own',
    () => 'Bearer error="<script>alert(1)</script>", error_description="Call 555-0100"',
  ),
];

const leading = (
  name: string,
  write: (evil: string, scene: Scene) => string | readonly string[],
  error: string,
): ClientRow => ({
  name,
  attack: challenges((scene) => write(`${scene.thief.origin}/metadata`, scene)),
  outcome: { error },
});

const bad: readonly ClientRow[] = [
  leading('a script', () => 'Bearer resource_metadata="javascript:alert(1)"', 'forbidden-address'),
  leading('a file', () => 'Bearer resource_metadata="file:///etc/passwd"', 'forbidden-address'),
  leading('http elsewhere', () => 'Bearer resource_metadata="http://evil.example/"', 'forbidden-address'),
  leading(
    'a service of the cloud',
    () => 'Bearer resource_metadata="http://169.254.169.254/latest"',
    'forbidden-address',
  ),
  leading(
    'an address with a password',
    (evil) => `Bearer resource_metadata="${evil.replace('//', '//me:secret@')}"`,
    'forbidden-address',
  ),
  leading(
    'an address of ten thousand characters',
    (evil) => `Bearer resource_metadata="${evil}?${'x'.repeat(10_000)}"`,
    'forbidden-address',
  ),
  leading(
    'where nothing is',
    (_, { place }) => `Bearer resource_metadata="${place.origin}/none"`,
    'discovery-failed',
  ),
  leading(
    'two places, of which the first is a service of the cloud',
    (_, { place }) =>
      `Bearer resource_metadata="https://169.254.169.254/", resource_metadata="${place.metadata}"`,
    'forbidden-address',
  ),
  leading(
    'two places, in two headers, of which the first is a service of the cloud',
    (_, { place }) => [
      'Bearer resource_metadata="https://169.254.169.254/"',
      `Bearer resource_metadata="${place.metadata}"`,
    ],
    'forbidden-address',
  ),
];

const huge: ClientRow = {
  name: 'that is larger than a header may be',
  attack: challenges(() => `Bearer realm="${'x'.repeat(100_000)}"`),
  outcome: { error: 'TransportError' },
};

clientTable('challenges', {
  'a challenge leads nobody astray': harmless,
  'a challenge leads nobody to': bad,
  'a challenge is not read': [huge],
});
