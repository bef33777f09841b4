import { type Answer, sendJson, type Web } from './web.js';

/** The code that the attacker's authorization server issues to every user. */
export const codeOfThief = 'code-of-the-thief';

/** Differences between the attacker's authorization server and an honest one. */
export interface EvilIssuer {
  /** Its public origin. Default: its own. */
  readonly origin?: string;
  /** Members of its metadata; undefined removes one. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Responses by path, in place of the usual ones. */
  readonly answers?: Readonly<Record<string, Answer>>;
}

/** Makes a web server act as an authorization server that accepts every user, and records the requests. */
export function actAsIssuer(web: Web, evil: EvilIssuer = {}): void {
  const { origin = web.origin, metadata, answers = {} } = evil;
  const usual: Readonly<Record<string, Answer>> = {
    '/.well-known/oauth-authorization-server': (_, response) =>
      sendJson(response, { ...metadataOf(origin), ...metadata }),
    '/register': ({ body }, response) =>
      sendJson(response, { ...(JSON.parse(body) as object), client_id: 'client-of-the-thief' }, 201),
    '/authorize': ({ url }, response) => {
      const asked = new URL(url, origin).searchParams;
      const back = new URL(asked.get('redirect_uri') ?? '');
      back.searchParams.set('code', codeOfThief);
      back.searchParams.set('state', asked.get('state') ?? '');
      back.searchParams.set('iss', origin);
      response.writeHead(302, { location: back.href }).end();
    },
    '/token': (_, response) =>
      sendJson(response, { access_token: 'token-of-the-thief', token_type: 'Bearer', expires_in: 3_600 }),
  };
  web.answer = (heard, response) => {
    const [path = ''] = heard.url.split('?');
    const answer = answers[path] ?? usual[path];
    if (answer === undefined) response.writeHead(404).end();
    else answer(heard, response);
  };
}

function metadataOf(origin: string): object {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    revocation_endpoint: `${origin}/revoke`,
    response_types_supported: ['code'],
    token_endpoint_auth_methods_supported: [
      'none',
      'client_secret_basic',
      'client_secret_post',
      'private_key_jwt',
    ],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
}
