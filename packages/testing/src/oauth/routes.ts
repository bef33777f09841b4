import type { Authority } from './authority/authority.js';
import { authorizationAnswer } from './endpoints/authorization.js';
import { consentAnswer } from './endpoints/consent.js';
import { introspectionAnswer } from './endpoints/introspection.js';
import { metadataAnswer, metadataPaths } from './endpoints/metadata.js';
import { page } from './endpoints/page.js';
import { registrationAnswer } from './endpoints/registration.js';
import { revocationAnswer } from './endpoints/revocation.js';
import { tokenAnswer } from './endpoints/token.js';
import type { HookAnswer } from './http/answer.js';
import type { RecordedRequest, TestEndpoint } from './http/recorded-request.js';

/** The handler of one path. */
export interface Route {
  readonly endpoint: TestEndpoint;
  readonly method: 'GET' | 'POST';
  readonly answer: (request: RecordedRequest, authority: Authority) => HookAnswer | Promise<HookAnswer>;
}

/** Returns the handlers by path, for an issuer with this path. */
export function routesFor(path: string): ReadonlyMap<string, Route> {
  const documents = [...metadataPaths(path)].map(([address, forms]): [string, Route] => [
    address,
    {
      endpoint: 'metadata',
      method: 'GET',
      answer: (_request, authority) => metadataAnswer(forms, authority),
    },
  ]);
  return new Map<string, Route>([
    ...documents,
    [path === '' ? '/' : path, { endpoint: 'page', method: 'GET', answer: issuerPage }],
    [`${path}/jwks`, { endpoint: 'jwks', method: 'GET', answer: jwksAnswer }],
    [`${path}/authorize`, { endpoint: 'authorize', method: 'GET', answer: authorizationAnswer }],
    [`${path}/consent`, { endpoint: 'consent', method: 'POST', answer: consentAnswer }],
    [`${path}/token`, { endpoint: 'token', method: 'POST', answer: tokenAnswer }],
    [`${path}/register`, { endpoint: 'register', method: 'POST', answer: registrationAnswer }],
    [`${path}/introspect`, { endpoint: 'introspect', method: 'POST', answer: introspectionAnswer }],
    [`${path}/revoke`, { endpoint: 'revoke', method: 'POST', answer: revocationAnswer }],
  ]);
}

function issuerPage(_request: RecordedRequest, { issuer }: Authority): HookAnswer {
  return page('Test authorization server', `<p>Issuer: <code id="issuer">${issuer}</code></p>`);
}

function jwksAnswer(_request: RecordedRequest, { keys }: Authority): HookAnswer {
  return {
    status: 200,
    headers: { 'content-type': 'application/jwk-set+json' },
    body: JSON.stringify(keys.jwks),
  };
}
