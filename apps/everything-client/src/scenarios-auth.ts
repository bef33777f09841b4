import { type OauthOptions, oauth } from '@tenon/mcp-auth/client';
import type { Scenario, ScenarioContext } from './scenario.js';
import { scriptedBrowser } from './scripted-browser.js';

/** Lists the tools and calls the one there is: the servers of these scenarios let in only whom they know. */
export const callingInside: Scenario['run'] = async (client) => {
  await client.tools().all();
  await client.callTool('test-tool');
};

const client: OauthOptions['client'] = { name: 'everything-client' };

/** The suite starts all clients at once, and one process of it answers them all. */
export const patience: NonNullable<OauthOptions['limits']> = { answerTimeout: 30_000 };

/** Lets a user sign in. A provider remembers who signed in, so each client gets one of its own. */
function signingIn(options: Partial<OauthOptions> = {}): Scenario {
  return {
    options: () => ({ auth: oauth({ client, interaction: scriptedBrowser, limits: patience, ...options }) }),
    run: callingInside,
  };
}

/** A user signs in by a client that somebody registered by hand. */
function registered({ client_id: clientId = '', client_secret: clientSecret, issuer = '' }: ScenarioContext) {
  const credentials = { issuer, clientId, clientSecret };
  return {
    auth: oauth({
      client: { ...client, registered: [credentials], register: false },
      interaction: scriptedBrowser,
      limits: patience,
    }),
  };
}

/** Users who sign in, wherever the server says. */
export const authScenarios: Record<string, Scenario> = {
  'auth/metadata-default': signingIn(),
  'auth/metadata-var1': signingIn(),
  'auth/metadata-var2': signingIn(),
  'auth/metadata-var3': signingIn(),
  'auth/2025-03-26-oauth-metadata-backcompat': signingIn(),
  'auth/2025-03-26-oauth-endpoint-fallback': signingIn(),
  'auth/basic-cimd': signingIn({
    // The only one the suite takes. Nobody fetches it.
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
  // Without a metadata document: that of a client which registers by itself can be looked at without a network.
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
