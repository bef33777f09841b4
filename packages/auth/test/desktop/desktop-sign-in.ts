import { expect, onTestFinished } from 'vitest';
import {
  type DesktopInteractionOptions,
  desktopInteraction,
} from '../../src/desktop/loopback-interaction.js';
import type { SignIn } from '../../src/oauth/interaction.js';
import { visit } from './loopback-visitor.js';

export const url: URL = new URL('https://auth.example/authorize?client_id=a&state=right');
export const subject = {
  resource: 'https://mcp.example/mcp',
  issuer: 'https://auth.example',
  scopes: ['notes'],
};

/** Starts a sign-in that ends with the test at the latest, and opens no browser. */
export async function beginSignIn(options: DesktopInteractionOptions = {}): Promise<SignIn> {
  const signIn = await desktopInteraction({ open: () => {}, onUrl: () => {}, ...options }).begin(subject);
  let isOver = false;
  onTestFinished(() => (isOver ? undefined : signIn.end(new Error('the test is over'))));
  return {
    ...signIn,
    end(failure) {
      isOver = true;
      return signIn.end(failure);
    },
  };
}

/** Expects that the right response still ends the sign-in. */
export async function arrives(signIn: SignIn, response: Promise<URL>): Promise<void> {
  const page = visit(`${signIn.redirectUri}?code=good&state=right`);
  expect((await response).searchParams.get('code')).toBe('good');
  await signIn.end();
  expect((await page).body).toContain('You are signed in');
}
