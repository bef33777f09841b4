import { type Answer, sendJson, type Web } from './web.js';

/** The code that a thief gives to whoever signs in at his place. */
export const codeOfThief = 'code-of-the-thief';

/** What an authorization server of a thief does otherwise than an honest one. */
export interface EvilIssuer {
  /** What it is called outside; its own address by default. */
  readonly origin?: string;
  /** Members of its metadata; undefined leaves one out. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Answers by path, in place of the usual ones. */
  readonly answers?: Readonly<Record<string, Answer>>;
}

/** Has a web server act as an authorization server that lets in anybody, and keeps what it is given. */
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
