import { clientCredentials, enterpriseManaged, jwtBearer } from '@tenon/mcp-auth/client';
import { callingInside, patience } from './auth.js';
import type { Scenario } from './scenario.js';

/** Programs that sign in without a user. */
export const programScenarios: Record<string, Scenario> = {
  'auth/client-credentials-basic': {
    options: ({ client_id: clientId = '', client_secret: clientSecret }) => ({
      auth: clientCredentials({ clientId, clientSecret, clock: patience }),
    }),
    run: callingInside,
  },

  'auth/client-credentials-jwt': {
    options: ({ client_id: clientId = '', private_key_pem: key = '', signing_algorithm: alg = '' }) => ({
      auth: clientCredentials({ clientId, key: { key, alg }, clock: patience }),
    }),
    run: callingInside,
  },

  'auth/enterprise-managed-authorization': {
    options: (context) => ({
      auth: enterpriseManaged({
        idp: {
          issuer: context.idp_issuer ?? '',
          tokenEndpoint: context.idp_token_endpoint,
          clientId: context.idp_client_id ?? '',
          authMethod: 'none',
        },
        identity: () => context.idp_id_token ?? '',
        client: { clientId: context.client_id ?? '', clientSecret: context.client_secret },
        clock: patience,
      }),
    }),
    run: callingInside,
  },

  'auth/wif-jwt-bearer': {
    options: ({ client_id: clientId = '', valid_jwt: assertion = '' }) => ({
      auth: jwtBearer({ clientId, assertion: () => assertion, clock: patience }),
    }),
    run: callingInside,
  },
};
