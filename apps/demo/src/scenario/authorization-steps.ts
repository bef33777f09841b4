import { AuthError } from '@tenon/mcp-auth/client';
import { TransportError, textOf } from '@tenon/mcp-client';
import { noteScopes } from '../notes/note-scopes.js';
import type { AuthorizationStage } from './authorization-stage.js';
import type { authorizationExpectations } from './expectations.js';
import { said } from './outcomes.js';
import type { Outcome, StepsOn } from './scene.js';
import { knock, type Visitor } from './visitor.js';

type Rows = (typeof authorizationExpectations)['authorization'];

/** Somebody signs in, is let do more, and is refused. */
export const authorizationSteps: StepsOn<AuthorizationStage, Rows> = {
  'no token': ({ destination }) => refused(knock(destination), 'wants authorization'),
  'where to get one': async ({ authorization, destination }) => {
    const place = new URL(destination.url);
    place.pathname = `/.well-known/oauth-protected-resource${place.pathname}`;
    const document = (await (await fetch(place)).json()) as { authorization_servers?: readonly string[] };
    const [issuer] = document.authorization_servers ?? [];
    return issuer === authorization.issuer ? 'said' : `${issuer}`;
  },
  'sign-in': async ({ ada }) => {
    const { contents } = await (await ada.client()).readResource('notes:///status');
    return `as ${JSON.parse(textOf(contents)).caller}`;
  },
  'scopes at first': ({ ada }) => scopesOf(ada),
  'call within them': async ({ ada }) => {
    const { structuredContent, content } = await (await ada.client()).callTool('search', { query: 'bench' });
    return `${(structuredContent ?? JSON.parse(textOf(content))).total} found`;
  },
  'call beyond them': async ({ ada }) => {
    const before = ada.statuses.length;
    const result = await (await ada.client()).callTool('create', { name: 'ideas', text: '# Ideas\n' });
    const refusals = ada.statuses.slice(before).filter((status) => status >= 400);
    const answer = said(result);
    return [...refusals, answer.startsWith('Created "ideas".') ? 'created' : answer].join(', then ');
  },
  'scopes afterwards': ({ ada }) => scopesOf(ada),
  'scope not granted': async ({ ada }) => {
    const client = await ada.client();
    return refused(client.callTool('delete', { name: 'ideas', confirmed: true }), noteScopes.delete);
  },
  'asked for again': async ({ ada, authorization }) => {
    const client = await ada.client();
    const before = authorization.count('authorize');
    const outcome = await refused(
      client.callTool('delete', { name: 'ideas', confirmed: true }),
      noteScopes.delete,
    );
    const asked = authorization.count('authorize') - before;
    return typeof outcome !== 'string' && asked === 0 ? 'no' : `${asked} times`;
  },
  'user who says no': ({ eve }) => refused(eve.client(), 'denied'),
  'token for elsewhere': async ({ authorization, destination }) => {
    const audience = 'https://elsewhere.example/mcp';
    const token = await authorization.issueToken({ subject: 'ada', audience, scopes: [noteScopes.read] });
    return refused(knock(destination, { authorization: `Bearer ${token}` }), 'for another server');
  },
  complaints: ({ complaints }) => complaints[0] ?? 'none',
};

function scopesOf({ scopes }: Visitor): string {
  return scopes.map((scope) => scope.replace('notes:', '')).join(', ');
}

/**
 * How an attempt was refused: the status of the server, or why there is no token.
 * @param words - must stand in the message, so that no other refusal is taken for it.
 */
async function refused(attempt: Promise<unknown>, words: string): Promise<Outcome> {
  try {
    await attempt;
    return 'let in';
  } catch (error) {
    if (!(error instanceof TransportError && error.message.includes(words))) throw error;
    const came = error instanceof AuthError ? error.reason : `${error.status}`;
    return { came, told: error.message };
  }
}
