import { FakeClock } from '../../../testing/src/fake-clock.js';
import { type OauthOptions, oauth, type UserProvider } from '../../src/providers/oauth.js';
import { sendTo, serverUrl } from './authorizer-rig.js';
import type { CodeFlowWeb } from './code-flow-web.js';

/** The client id of test programs. */
export const clientId = 'by-hand';
/** The only client, registered by hand. */
export const registered = [{ issuer: 'https://auth.example', clientId }];

/** A program on a desktop, with the options of a test. */
export function begin(web: CodeFlowWeb, more: Partial<OauthOptions> = {}): UserProvider {
  return oauth({
    client: { name: 'Tests', registered },
    interaction: web.interaction(),
    fetch: web.fetch,
    clock: new FakeClock(),
    ...more,
  });
}

/** Sends a request of the program to the server. */
export function send(provider: UserProvider, web: CodeFlowWeb): ReturnType<typeof sendTo> {
  return sendTo({ authorizer: provider.authorizer(serverUrl), server: web.mcp });
}
