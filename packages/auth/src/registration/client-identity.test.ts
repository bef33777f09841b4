import { expect, test } from 'vitest';
import { type ClientIdentity, requireClientIdentity } from './client-identity.js';

const issuer = 'https://auth.example';

test('accepts a valid identity', () => {
  const identity: ClientIdentity = {
    registered: [
      { issuer, clientId: 'a', clientSecret: 's' },
      { issuer: `${issuer}/`, clientId: 'b' },
    ],
    metadataUrl: 'https://app.example/client.json',
    dynamic: { name: 'My agent', uri: 'https://app.example' },
  };
  expect(() => requireClientIdentity('oauth()', identity)).not.toThrow();
});

test('rejects an invalid identity, without quoting its secret', () => {
  const clientSecret = 's3cret';
  const table: readonly (readonly [object, RegExp])[] = [
    [{ registered: [{ clientId: 'a', clientSecret }] }, /needs an issuer/],
    [{ registered: [{ issuer, clientSecret }] }, /clientId is missing/],
    [
      { registered: [{ issuer: 'auth.example', clientId: 'a', clientSecret }] },
      /issuer must be the https address/,
    ],
    [
      {
        registered: [
          { issuer, clientId: 'a' },
          { issuer, clientId: 'b', clientSecret },
        ],
      },
      /two clients are registered at/,
    ],
    [{ registered: [{ issuer, clientId: 'a', secret: clientSecret }] }, /no option "secret"/],
    [
      { registered: [{ issuer, clientId: 'a', authMethod: 'client_secret_basic' }] },
      /requires a clientSecret/,
    ],
    [{ metadataUrl: 'https://app.example/' }, /metadataUrl must have a path/],
    [{ metadataUrl: 'https://app.example/x', metadataKey: {} }, /PKCS #8/],
    [{ dynamic: { name: 'a', uri: 'javascript:alert(1)' } }, /uri must be an https address/],
    [{ dynamic: { name: 'a', colour: 'red' } }, /no option "colour"/],
  ];
  for (const [identity, message] of table) {
    const check = () => requireClientIdentity('oauth()', identity as ClientIdentity);
    expect(check, JSON.stringify(identity)).toThrow(message);
    expect(check).not.toThrow(/s3cret/);
  }
});
