import { AuthError, type Interaction } from '@tenon/mcp-auth/client';

/** Nothing listens there. */
const redirectUri = 'http://127.0.0.1:3000/callback';

/** A user who says yes to everything, with a browser that stops where it is sent back to the program. */
export const scriptedBrowser: Interaction = {
  redirectUris: [redirectUri],
  applicationType: 'native',
  begin: () => ({
    redirectUri,
    async authorize({ url, signal }) {
      const response = await fetch(url, { redirect: 'manual', signal: signal ?? null });
      await response.body?.cancel();
      const location = response.headers.get('location');
      if (location !== null) return new URL(location, url);
      throw new AuthError(
        'interaction-failed',
        `The page to sign in at answered with ${response.status}, and sent nobody back.`,
      );
    },
    end() {},
  }),
};
