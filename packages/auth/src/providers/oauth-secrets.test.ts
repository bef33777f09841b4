import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { sendTo, serverUrl } from '../../test/client/authorizer-rig.js';
import { CodeFlowWeb } from '../../test/client/code-flow-web.js';
import { webInteraction } from '../sign-in/web-interaction.js';
import type { AuthStore } from '../store/auth-store.js';
import { MemoryAuthStore } from '../store/memory-store.js';
import { oauth, type UserProvider } from './oauth.js';

const clientSecret = 'client-secret-5e1d0a77c9';
const hour = 3_600_000;

/** Texts that an authorization server can make of a secret, to send them as an error, a name or a token. */
const echoes: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'in a sentence': (secret) => `The value ${secret} is wrong`,
  'in a URL': (secret) => `https://auth.example/?x=${encodeURIComponent(secret)}`,
  'with controls in it': (secret) => `${secret.slice(0, 6)}\u0007${secret.slice(6)}`,
  'cut short': (secret) => `${'.'.repeat(190)}${secret}`,
};

/** Responses that contain such a text; each makes another step fail. */
const attacks: Readonly<Record<string, (web: CodeFlowWeb, echo: (secret: string) => string) => void>> = {
  'the error of an authorization response': (web, echo) => {
    web.onResponse = (params) => params.set('error', echo(params.get('code') ?? ''));
  },
  'the description of an authorization response': (web, echo) => {
    web.onResponse = (params) => {
      params.set('error', 'access_denied');
      params.set('error_description', echo(params.get('code') ?? ''));
      params.set('error_uri', echo(params.get('state') ?? ''));
    };
  },
  'the issuer of an authorization response': (web, echo) => {
    web.onResponse = (params) => params.set('iss', echo(params.get('code') ?? ''));
  },
  'the state of an authorization response': (web, echo) => {
    web.onResponse = (params) => params.set('state', echo(params.get('code') ?? ''));
  },
  'the error of a token endpoint': (web, echo) => {
    web.onToken = (form) => ({
      status: 400,
      body: { error: echo(form.get('code') ?? form.get('refresh_token') ?? '') },
    });
  },
  'the description of a token endpoint': (web, echo) => {
    web.onToken = (form) => ({
      status: 400,
      body: {
        error: 'invalid_request',
        error_description: echo(form.get('code_verifier') ?? form.get('refresh_token') ?? ''),
      },
    });
  },
  'the type of a token': (web, echo) => {
    web.onToken = () => ({ status: 200, body: { access_token: 'a', token_type: echo(clientSecret) } });
  },
  'a token that no header can hold': (web, echo) => {
    web.onToken = (form) => ({
      status: 200,
      body: { access_token: `${echo(form.get('code') ?? '')}\n`, token_type: 'Bearer' },
    });
  },
  'a status that means nothing': (web, echo) => {
    web.onToken = (form) => ({ status: 500, body: { message: echo(form.get('code') ?? clientSecret) } });
  },
};

/** Returns all texts of an error. */
function reported(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { oauthError, reason } = error as { oauthError?: string; reason?: string };
  return [
    error.message,
    error.stack,
    oauthError,
    reason,
    error.cause === undefined ? '' : reported(error.cause),
  ].join('\n');
}

interface Observed {
  readonly errors: unknown[];
  readonly events: string[];
}

async function attempt(errors: unknown[], step: () => Promise<unknown>): Promise<void> {
  await step().catch((error: unknown) => errors.push(error));
}

/** Signs in, refreshes and finishes, and records all errors and events. */
async function everything(web: CodeFlowWeb, attack: () => void): Promise<Observed> {
  const errors: unknown[] = [];
  const events: string[] = [];
  const clock = new FakeClock();
  const store: AuthStore = new MemoryAuthStore();
  const registered = [{ issuer: 'https://auth.example', clientId: 'by-hand', clientSecret }];
  const make = (account: string, isWeb: boolean): UserProvider =>
    oauth({
      client: { name: 'Tests', registered },
      interaction: isWeb
        ? webInteraction({ redirectUri: 'https://app.example/callback', session: 'session-a' })
        : web.interaction(),
      fetch: web.fetch,
      clock,
      store,
      account,
      onEvent: (event) => {
        events.push(JSON.stringify(event));
        if (event.type === 'failed') errors.push(event.error);
      },
    });
  const send = (provider: UserProvider) =>
    sendTo({ authorizer: provider.authorizer(serverUrl), server: web.mcp });
  const signedIn = make('ann', false);
  await send(signedIn);
  const pages = make('cid', true);
  const needed: unknown = await send(pages).catch((error: unknown) => error);
  attack();
  await attempt(errors, () => send(make('bob', false)));
  const url = (needed as { authorizationUrl: string }).authorizationUrl;
  await attempt(errors, () => pages.finish(web.visit(url)));
  clock.stall(hour);
  web.issuers = [...web.issuers];
  await attempt(errors, () => send(signedIn));
  return { errors, events };
}

describe('errors and events contain no secret', () => {
  const cases = Object.entries(attacks).flatMap(([where, attack]) =>
    Object.entries(echoes).map(([how, echo]) => ({ where, how, attack, echo })),
  );

  it.each(cases)('if an authorization server repeats it in $where, $how', async ({ attack, echo }) => {
    const web = new CodeFlowWeb();
    web.secrets.add(clientSecret);
    const { errors, events } = await everything(web, () => attack(web, echo));
    expect(errors.length).toBeGreaterThan(1);
    const all = [...errors.map(reported), ...events];
    for (const secret of web.secrets) {
      for (const text of all) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(encodeURIComponent(secret));
        expect(text).not.toContain(secret.slice(0, 16));
      }
    }
  });
});
