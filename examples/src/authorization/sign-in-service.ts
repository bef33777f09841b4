// Programs that sign in without a browser: a service with a secret or a key, a workload, an agent in an enterprise.
import { readFile } from 'node:fs/promises';
import { clientCredentials, enterpriseManaged, jwtBearer } from '@tenon/mcp-auth/client';
import { connect, textOf } from '@tenon/mcp-client';
import type { server } from './protect-server.js';

const { SERVER = 'http://127.0.0.1:3000/mcp', ISSUER = 'https://login.example.com' } = process.env;
const { CLIENT_SECRET = 'a secret', KEY_FILE = 'nightly-report.pem' } = process.env;
const { TOKEN_FILE = '/var/run/secrets/tokens/mcp' } = process.env;
const { IDP = 'https://idp.example.com', ID_TOKEN = '' } = process.env;

// #region secret
const withSecret = clientCredentials({
  clientId: 'nightly-report',
  clientSecret: CLIENT_SECRET,
  issuer: ISSUER, // the only one that receives the secret
  scopes: ['notes:read', 'notes:write'], // all that the program needs, requested at once
});
// #endregion

// #region key
const withKey = clientCredentials({
  clientId: 'weekly-report',
  key: { key: await readFile(KEY_FILE, 'utf8'), alg: 'ES256' }, // never leaves this program
  issuer: ISSUER,
  scopes: ['notes:read', 'notes:write'],
});
const info = { name: 'weekly-report', version: '1.0.0' };
const client = await connect<typeof server>(SERVER, { info, auth: withKey });
console.log(textOf((await client.callTool('save_note', { text: 'All is well' })).content));
await client.close();
// #endregion

// #region workload
// A token of the platform, such as a service account token for the issuer.
const asWorkload = jwtBearer({
  issuer: ISSUER,
  assertion: () => readFile(TOKEN_FILE, 'utf8'),
  scopes: ['notes:read', 'notes:write'],
});
// #endregion

// #region enterprise
// A user who signed in to this program with the identity provider of the enterprise.
const asEmployee = enterpriseManaged({
  idp: { issuer: IDP, clientId: 'agent-at-idp', clientSecret: CLIENT_SECRET },
  identity: () => ID_TOKEN,
  client: { clientId: 'agent', clientSecret: CLIENT_SECRET, issuer: ISSUER },
  scopes: ['notes:read', 'notes:write'],
});
// #endregion

for (const auth of [withSecret, asWorkload, asEmployee]) {
  const one = await connect<typeof server>(SERVER, { info, auth });
  console.log(textOf((await one.callTool('save_note', { text: 'Signed in' })).content));
  await one.close();
}
