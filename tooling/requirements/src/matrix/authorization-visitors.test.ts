import { connect } from '@tenon/mcp-client';
import { createServer } from '@tenon/mcp-server';
import { elicitationPages } from 'examples/authorization/pages/elicitation-pages';
import { expect, onTestFinished } from 'vitest';
import { guarded } from './authorization/guarded.js';
import { requirement } from './requirement.js';

/** A server with a page on which users connect an account, and the users who did. */
async function connecting() {
  let issuer = '';
  const connected: string[] = [];
  const pages = elicitationPages({
    url: 'https://bench.example/connect',
    visitors: {
      identify: ({ request }) => {
        const id = /\buser=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1];
        return id === undefined ? undefined : { id, issuer };
      },
    },
    visit: async ({ principal, finish }) => {
      if (await finish()) connected.push(principal.id);
      return new Response('Connected.');
    },
  });
  const server = createServer({ name: 'bench', version: '1.0.0' }).tool('connect', {}, async (_, ctx) => {
    const url = await ctx.once('page', () => pages.open(ctx));
    const { action } = await ctx.elicitUrl('connect', { message: 'Connect your wood yard', url });
    return `${ctx.auth?.id}: ${action}`;
  });
  const protectedServer = await guarded(server);
  issuer = protectedServer.issuer.issuer;
  const visit = async (url: string, user?: string) => {
    const headers: Record<string, string> = user === undefined ? {} : { cookie: `user=${user}` };
    return (await pages.handler(new Request(url, { headers }))).status;
  };
  return { ...protectedServer, connected, visit };
}

requirement(
  [
    '2026-07-28/client/elicitation/user-authorizes-server',
    '2026-07-28/client/elicitation/verify-visitor',
    '2026-07-28/client/elicitation/same-user',
    '2026-07-28/client/elicitation/resilient',
  ],
  {
    transports: ['http'],
    title: 'A page that a user is sent to opens for that user alone, whatever becomes of its address.',
  },
  async ({ revision }) => {
    const { place, token, connected, visit } = await connecting();
    const sent: string[] = [];
    const onElicitUrl = async ({ url }: { readonly url: string }) => {
      sent.push(url);
      // Another visitor with the same URL is not the user; neither is one without a sign-in.
      expect(await visit(url, 'mallory')).toBe(403);
      expect(await visit(url)).toBe(403);
      const flipped = url.endsWith('A') ? 'B' : 'A';
      const changed = [
        url.slice(0, -1) + flipped,
        `${url}&page=x`,
        `${url}&user=alice`,
        url.replace('page=', 'Page='),
      ];
      for (const other of changed) expect(await visit(other, 'mallory'), other).toBeGreaterThan(399);
      expect(connected).toEqual([]);
      expect(await visit(url, 'alice')).toBe(200);
      return { action: 'accept' } as const;
    };
    const info = { name: 'matrix', version: '1.0.0' };
    const headers = { authorization: `Bearer ${await token({ subject: 'alice' })}` };
    const client = await connect(place.url, { info, revision, headers, onElicitUrl });
    onTestFinished(() => client.close());
    expect((await client.callTool('connect')).content).toMatchObject([{ text: 'alice: accept' }]);
    expect(connected).toEqual(['alice']);
    expect(sent).toHaveLength(1);
    expect(sent[0]).not.toMatch(/alice|Bearer/);
  },
);
