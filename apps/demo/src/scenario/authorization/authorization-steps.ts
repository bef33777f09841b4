import { AuthError } from '@tenon/mcp-auth/client';
import { TransportError, textOf } from '@tenon/mcp-client';
import { noteScopes } from '../../notes/note-scopes.js';
import type { authorizationExpectations } from '../expectations.js';
import type { Outcome, StepsOn } from '../scene.js';
import { textOfResult } from '../steps/outcomes.js';
import type { AuthorizationStage } from './authorization-stage.js';
import { connectWith, type User } from './user.js';

type Rows = (typeof authorizationExpectations)['authorization'];

/** Signing in, gaining scopes, and being refused. */
export const authorizationSteps: StepsOn<AuthorizationStage, Rows> = {
  'no token': ({ destination }) => refused(connectWith(destination), 'requires authorization'),
  'metadata document': async ({ authorization, destination }) => {
    const place = new URL(destination.url);
    place.pathname = `/.well-known/oauth-protected-resource${place.pathname}`;
    const document = (await (await fetch(place)).json()) as { authorization_servers?: readonly string[] };
    const [issuer] = document.authorization_servers ?? [];
    return issuer === authorization.issuer ? 'right' : `${issuer}`;
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
    const answer = textOfResult(result);
    return [...refusals, answer.startsWith('Created "ideas".') ? 'created' : answer].join(', then ');
  },
  'scopes afterwards': ({ ada }) => scopesOf(ada),
  'scope not granted': async ({ ada }) => {
    const client = await ada.client();
    return refused(client.callTool('delete', { name: 'ideas', confirmed: true }), noteScopes.delete);
  },
  'signs in again': async ({ ada, authorization }) => {
    const client = await ada.client();
    const before = authorization.count('authorize');
    const outcome = await refused(
      client.callTool('delete', { name: 'ideas', confirmed: true }),
      noteScopes.delete,
    );
    const asked = authorization.count('authorize') - before;
    return typeof outcome !== 'string' && asked === 0 ? 'no' : `${asked} times`;
  },
  'user denies': ({ eve }) => refused(eve.client(), 'denied'),
  'wrong audience': async ({ authorization, destination }) => {
    const audience = 'https://elsewhere.example/mcp';
    const token = await authorization.issueToken({ subject: 'ada', audience, scopes: [noteScopes.read] });
    return refused(connectWith(destination, { authorization: `Bearer ${token}` }), 'for another server');
  },
  'reported errors': ({ reported }) => reported[0] ?? 'none',
};

function scopesOf({ scopes }: User): string {
  return scopes.map((scope) => scope.replace('notes:', '')).join(', ');
}

/**
 * Returns the reason of a refusal: the server's status, or the reason that there is no token.
 * @param words - required in the message, so that no other refusal passes.
 */
async function refused(attempt: Promise<unknown>, words: string): Promise<Outcome> {
  try {
    await attempt;
    return 'accepted';
  } catch (error) {
    if (!(error instanceof TransportError && error.message.includes(words))) throw error;
    const actual = error instanceof AuthError ? error.reason : `${error.status}`;
    return { actual, message: error.message };
  }
}
