import { AuthError, type Interaction } from '@tenon/mcp-auth/client';

/** Nothing listens there: the way ends before. */
const redirectUri = 'http://127.0.0.1/callback';

/** Pages that lead to other pages before the way is given up. */
const longestWay = 5;

/**
 * A browser without a window: goes where it is sent, until it is sent back to the program.
 * @param cookie - by which the authorization server knows who sits there.
 */
export function scriptedBrowser(cookie: string): Interaction {
  return {
    redirectUris: [redirectUri],
    applicationType: 'native',
    begin: () => ({
      redirectUri,
      async authorize({ url, signal = null }) {
        let page = url;
        for (let step = 0; step < longestWay; step++) {
          const answer = await fetch(page, { redirect: 'manual', headers: { cookie }, signal });
          await answer.body?.cancel();
          const next = answer.headers.get('location');
          if (next === null) break;
          page = new URL(next, page);
          if (page.href.startsWith(`${redirectUri}?`)) return page;
        }
        throw new AuthError('interaction-failed', `The pages of ${url.origin} led nowhere.`);
      },
      end() {},
    }),
  };
}
