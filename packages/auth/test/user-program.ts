import { type OauthOptions, oauth, type UserProvider } from '../src/client/oauth.js';
import { sendTo, serverUrl } from './authorizer-rig.js';
import type { CodeFlowWeb } from './code-flow-web.js';
import { ManualClock } from './manual-clock.js';

/** The id that programs of tests were given by hand. */
export const clientId = 'by-hand';
/** The one client that was registered by hand. */
export const registered = [{ issuer: 'https://auth.example', clientId }];

/** A program on a desktop, or what a test makes of it. */
export function begin(web: CodeFlowWeb, more: Partial<OauthOptions> = {}): UserProvider {
  return oauth({
    client: { name: 'Tests', registered },
    interaction: web.interaction(),
    fetch: web.fetch,
    clock: new ManualClock(),
    ...more,
  });
}

/** Sends a request of it to the server. */
export function send(provider: UserProvider, web: CodeFlowWeb): ReturnType<typeof sendTo> {
  return sendTo({ authorizer: provider.authorizer(serverUrl), server: web.mcp });
}
