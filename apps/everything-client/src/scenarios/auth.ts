import { type OauthOptions, oauth } from '@tenon/mcp-auth/client';
import { scriptedBrowser } from '@tenon/mcp-testing/oauth';
import type { Scenario, ScenarioContext } from './scenario.js';

/** Lists the tools and calls one: the servers of these scenarios require authorization. */
export const callingInside: Scenario['run'] = async (client) => {
  await client.tools().all();
  await client.callTool('test-tool');
};

const client: OauthOptions['client'] = { name: 'everything-client' };

/** Signs in at once, as a user who agrees to everything. Nothing listens at the redirect URI. */
const interaction = () => scriptedBrowser({ redirectUri: 'http://127.0.0.1:3000/callback' });

/** A clock with long time limits, because the suite starts all clients at once. */
export const patience: NonNullable<OauthOptions['clock']> = {
  now: () => Date.now(),
  schedule(task, ms) {
    const timer = setTimeout(task, 3 * ms);
    return () => clearTimeout(timer);
  },
};

/** A user signs in. A provider remembers its user, so each client gets a provider of its own. */
function signingIn(options: Partial<OauthOptions> = {}): Scenario {
  return {
    options: () => ({ auth: oauth({ client, interaction: interaction(), clock: patience, ...options }) }),
    run: callingInside,
  };
}

/** A user signs in with a manually registered client. */
function registered({ client_id: clientId = '', client_secret: clientSecret, issuer = '' }: ScenarioContext) {
  const credentials = { issuer, clientId, clientSecret };
  return {
    auth: oauth({
      client: { ...client, registered: [credentials], register: false },
      interaction: interaction(),
      clock: patience,
    }),
  };
}

/** Users who sign in, for each form of discovery and registration. */
export const authScenarios: Record<string, Scenario> = {
  'auth/metadata-default': signingIn(),
  'auth/metadata-var1': signingIn(),
  'auth/metadata-var2': signingIn(),
  'auth/metadata-var3': signingIn(),
  'auth/2025-03-26-oauth-metadata-backcompat': signingIn(),
  'auth/2025-03-26-oauth-endpoint-fallback': signingIn(),
  'auth/basic-cimd': signingIn({
    // The only URL that the suite accepts. It is not fetched.
    client: { ...client, metadataUrl: 'https://conformance-test.local/client-metadata.json' },
  }),
  'auth/pre-registration': { options: registered, run: callingInside },
  'auth/token-endpoint-auth-basic': signingIn(),
  'auth/token-endpoint-auth-post': signingIn(),
  'auth/token-endpoint-auth-none': signingIn(),
  'auth/scope-from-www-authenticate': signingIn(),
  'auth/scope-from-scopes-supported': signingIn(),
  'auth/scope-omitted-when-undefined': signingIn(),
  'auth/scope-step-up': signingIn(),
  // Without a metadata document: the suite can read the metadata of a registering client without a network.
  'auth/offline-access-scope': signingIn(),
  'auth/offline-access-not-supported': signingIn(),
  'auth/authorization-server-migration': signingIn(),
  'auth/iss-supported': signingIn(),
  'auth/iss-not-advertised': signingIn(),
  'auth/dpop': signingIn(),
  'auth/dpop-nonce': signingIn(),

  'auth/scope-retry-limit': { ...signingIn(), refusal: 'refused' },
  'auth/resource-mismatch': { ...signingIn(), refusal: 'mismatch' },
  'auth/metadata-issuer-mismatch': { ...signingIn(), refusal: 'mismatch' },
  'auth/iss-supported-missing': { ...signingIn(), refusal: 'bad-response' },
  'auth/iss-wrong-issuer': { ...signingIn(), refusal: 'bad-response' },
  'auth/iss-unexpected': { ...signingIn(), refusal: 'bad-response' },
  'auth/iss-normalized': { ...signingIn(), refusal: 'bad-response' },
};
