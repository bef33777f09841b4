import { wayBack } from './browser.js';
import { allWays, type ClientRow, clientTable, type Outcome } from './client-table.js';
import { actAsIssuer } from './evil-issuer.js';
import type { Scene } from './scene.js';

const honest: Outcome = { result: /^user of http:\/\/127\.0\.0\.1:\d+/ };
const refused = { outcome: { error: 'bad-response' }, prompts: 1, grants: 0 } as const;

/** Changes a parameter of the redirect URL; undefined removes it. */
function back(name: string, value: (scene: Scene) => string | undefined): ClientRow['attack'] {
  return (scene) => {
    scene.browser.tamper = (url) => {
      const given = value(scene);
      if (given === undefined) url.searchParams.delete(name);
      else url.searchParams.set(name, given);
      return url;
    };
  };
}

/** Repeats a parameter. */
function twice(name: string, value: (scene: Scene, first: string) => string): ClientRow['attack'] {
  return (scene) => {
    scene.browser.tamper = (url) => {
      url.searchParams.append(name, value(scene, url.searchParams.get(name) ?? ''));
      return url;
    };
  };
}

/** Returns to the client with these parameters alone. */
function instead(
  params: (scene: Scene, state: string) => Readonly<Record<string, string>>,
): ClientRow['attack'] {
  return (scene) => {
    scene.browser.tamper = (url) => {
      const said = params(scene, url.searchParams.get('state') ?? '');
      return new URL(`?${new URLSearchParams(said)}`, url);
    };
  };
}

/** Spellings that resolve to the same URL, but differ from the issuer. */
const spellings: readonly (readonly [string, (issuer: string) => string])[] = [
  ['with a slash at its end', (issuer) => `${issuer}/`],
  ['with its scheme in capitals', (issuer) => issuer.replace('http:', 'HTTP:')],
  ['by the name of this machine', (issuer) => issuer.replace('127.0.0.1', 'localhost')],
  ['with its address in short', (issuer) => issuer.replace('127.0.0.1', '127.1')],
  ['with its address as a number', (issuer) => issuer.replace('127.0.0.1', '2130706433')],
  ['with zeroes before its port', (issuer) => issuer.replace(/:(\d+)/, ':0$1')],
  ['with an empty query', (issuer) => `${issuer}?`],
  ['with an empty fragment', (issuer) => `${issuer}#`],
  ['with a user', (issuer) => issuer.replace('//', '//me@')],
  ['with a blank behind it', (issuer) => `${issuer} `],
  ['with a blank before it', (issuer) => ` ${issuer}`],
  ['with a line behind it', (issuer) => `${issuer}\n`],
  ['with its path escaped', (issuer) => issuer.replace('/tenant', '/%74enant')],
  ['with its path in capitals', (issuer) => issuer.replace('/tenant', '/Tenant')],
  ['with a dot in its path', (issuer) => issuer.replace('/tenant', '/./tenant')],
  ['with a way back in its path', (issuer) => issuer.replace('/tenant', '/x/../tenant')],
  ['with two slashes in its path', (issuer) => issuer.replace('/tenant', '//tenant')],
  ['without its path', (issuer) => issuer.replace('/tenant', '')],
  ['with more behind it', (issuer) => `${issuer}.example`],
  ['of which the end is missing', (issuer) => issuer.slice(0, -1)],
];

const tenant = { issuer: { path: '/tenant' } } as const;
const silent = {
  issuer: {
    metadata: (document: object) => ({ ...document, authorization_response_iss_parameter_supported: false }),
    iss: 'missing',
  },
} as const;

const issuers: readonly ClientRow[] = [
  { name: 'as it should be', attack: () => {}, outcome: honest, ...allWays },
  { name: 'with a path, as it should be', attack: () => {}, settings: tenant, outcome: honest },
  { name: 'another one', attack: back('iss', ({ thief }) => thief.origin), ...refused, ...allWays },
  { name: 'the server', attack: back('iss', ({ place }) => place.origin), ...refused },
  { name: 'empty', attack: back('iss', () => ''), ...refused },
  { name: 'missing though it was announced', attack: back('iss', () => undefined), ...refused, ...allWays },
  { name: 'missing, as was announced', attack: () => {}, settings: silent, outcome: honest },
  {
    name: 'another one though none was announced',
    attack: back('iss', ({ thief }) => thief.origin),
    settings: silent,
    ...refused,
  },
  { name: 'there twice', attack: twice('iss', (_, first) => first), ...refused },
  { name: 'right, then another one', attack: twice('iss', ({ thief }) => thief.origin), ...refused },
  ...spellings.map(
    ([spelling, write]): ClientRow => ({
      name: `the right one ${spelling}`,
      attack: back('iss', ({ issuer }) => write(issuer.issuer)),
      settings: tenant,
      ...refused,
    }),
  ),
];

const words = 'Call 555-0100 to unlock your account';
const silence: Outcome = { error: 'bad-response', text: /^(?!.*(?:555|access_denied|temporarily))/ };

const errors: readonly ClientRow[] = [
  {
    name: 'of another issuer, whose words nobody is shown',
    attack: instead(({ thief }, state) => ({
      ...{ error: 'access_denied', error_description: words, error_uri: thief.origin },
      ...{ state, iss: thief.origin },
    })),
    ...refused,
    outcome: silence,
  },
  {
    name: 'of nobody, whose words nobody is shown',
    attack: instead((_, state) => ({ error: 'temporarily_unavailable', error_description: words, state })),
    ...refused,
    outcome: silence,
  },
  {
    name: 'with another state, whose words nobody is shown',
    attack: instead(({ issuer }) => ({ error: words, state: 'other', iss: issuer.issuer })),
    ...refused,
    outcome: silence,
  },
  {
    name: 'that is a text of its own',
    attack: instead(({ issuer }, state) => ({ error: words, state, iss: issuer.issuer })),
    outcome: { error: 'denied', text: /^(?!.*555)/ },
    prompts: 1,
    grants: 0,
  },
  {
    name: 'that is the state of the sign-in',
    attack: instead(({ issuer }, state) => ({ error: state, state, iss: issuer.issuer })),
    outcome: { error: 'denied' },
    prompts: 1,
    grants: 0,
  },
  {
    name: 'beside a code, of which the error counts',
    attack: back('error', () => 'access_denied'),
    outcome: { error: 'denied' },
    prompts: 1,
    grants: 0,
  },
];

const states: readonly ClientRow[] = [
  { name: 'missing', attack: back('state', () => undefined), ...refused, ...allWays },
  { name: 'empty', attack: back('state', () => ''), ...refused },
  { name: 'another one', attack: back('state', () => 'A'.repeat(22)), ...refused, ...allWays },
  { name: 'there twice', attack: twice('state', (_, first) => first), ...refused },
  {
    name: 'in other letters',
    attack: (scene) => {
      scene.browser.tamper = (url) => {
        const state = url.searchParams.get('state') ?? '';
        const other = state.replace(/[a-z]/i, (letter) =>
          letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
        );
        url.searchParams.set('state', other);
        return url;
      };
    },
    ...refused,
  },
  {
    name: 'of a sign-in before this one, with the code of that',
    attack: async (scene) => {
      await scene.connect();
      await scene.auth.signOut(scene.url);
      const [before] = scene.browser.returned;
      scene.browser.tamper = () => before as URL;
    },
    outcome: { error: 'bad-response' },
    prompts: 2,
    grants: 1,
  },
];

/** Uses another user's code in place of the user's own. */
const strangersCode: ClientRow['attack'] = (scene) => {
  scene.browser.tamper = async (url) => {
    const [asked] = scene.browser.visited;
    const strangers = new URL(asked as URL);
    strangers.searchParams.set('code_challenge', 'A'.repeat(43));
    const other = await wayBack(strangers);
    url.searchParams.set('code', other.searchParams.get('code') ?? '');
    return url;
  };
};

const codes: readonly ClientRow[] = [
  { name: 'missing', attack: back('code', () => undefined), ...refused },
  { name: 'empty', attack: back('code', () => ''), ...refused },
  { name: 'there twice', attack: twice('code', (_, first) => first), ...refused },
  { name: 'of a million characters', attack: back('code', () => 'x'.repeat(1_000_000)), ...refused },
  {
    name: 'in the fragment',
    attack: (scene) => {
      scene.browser.tamper = (url) => {
        url.hash = url.search.slice(1);
        url.search = '';
        return url;
      };
    },
    ...refused,
  },
  {
    name: "of somebody else's sign-in, with the right state",
    attack: strangersCode,
    outcome: { error: 'denied', text: /invalid_grant/ },
    prompts: 1,
    ...allWays,
  },
  {
    name: 'that was used before, with the right state',
    attack: async (scene) => {
      await scene.connect();
      await scene.auth.signOut(scene.url);
      const [before] = scene.browser.returned;
      scene.browser.tamper = (url) => {
        url.searchParams.set('code', before?.searchParams.get('code') ?? '');
        return url;
      };
    },
    outcome: { error: 'denied', text: /invalid_grant/ },
    prompts: 2,
  },
];

/** The server names the attacker, who redirects users to the honest authorization server. */
function mixUp(scene: Scene, announces: boolean): void {
  const { issuer, place, thief, browser } = scene;
  issuer.addClient({ clientId: 'client-of-the-thief', redirectUris: browser.redirectUris });
  place.describe({}, [thief.origin]);
  actAsIssuer(thief, {
    metadata: {
      authorization_endpoint: `${issuer.issuer}/authorize`,
      authorization_response_iss_parameter_supported: announces,
    },
  });
}

const heardNoCode = ({ thief, browser }: Scene) => {
  const [answered] = browser.returned;
  const code = answered?.searchParams.get('code') ?? 'there is none';
  if (thief.everything.includes(code)) throw new Error('The thief was given the code.');
  if (thief.heard.some(({ url }) => url === '/token')) throw new Error('The thief was asked for tokens.');
};

const mixUps: readonly ClientRow[] = [
  {
    name: 'the thief announces that he would say who he is',
    attack: (scene) => mixUp(scene, true),
    ...refused,
    ...allWays,
    afterwards: heardNoCode,
  },
  {
    name: 'the thief announces nothing',
    attack: (scene) => mixUp(scene, false),
    ...refused,
    afterwards: heardNoCode,
  },
  {
    name: 'the honest issuer does not say that a code is its own',
    attack: (scene) => {
      mixUp(scene, true);
      scene.behave({ iss: 'missing' });
    },
    ...refused,
    afterwards: heardNoCode,
  },
  {
    name: 'the code of the thief is given to the honest issuer',
    attack: instead(({ thief }, state) => ({ code: 'code-of-the-thief', state, iss: thief.origin })),
    ...refused,
  },
];

clientTable('responses to a sign-in that are not what was asked for', {
  'the issuer of a response is': issuers,
  'the response is an error': errors,
  'the state of a response is': states,
  'the code of a response is': codes,
  'authorization servers are mixed up:': mixUps,
});
