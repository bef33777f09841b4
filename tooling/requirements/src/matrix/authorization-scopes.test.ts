import { scriptedBrowser } from '@tenon/mcp-testing/oauth';
import { expect } from 'vitest';
import { pointingTo, setting, signIn } from './authorization/setting.js';
import { requirement } from './requirement.js';

const overHttp = { transports: ['http'] } as const;
const path = '/.well-known/oauth-protected-resource/mcp';

requirement(
  [
    '2026-07-28/basic/authorization/index/scope-order',
    '2026-07-28/basic/authorization/index/least-privilege',
    '2026-07-28/basic/authorization/index/challenge-authoritative',
    '2026-07-28/basic/authorization/index/no-scope-relation-assumed',
  ],
  { ...overHttp, title: 'The scopes of the challenge are asked for, else those of the document, else none.' },
  async ({ revision }) => {
    const askedFor = async (challenged: string | undefined, supported: readonly string[] | undefined) => {
      const scene = await setting(revision);
      const script = pointingTo([scene.issuer.issuer], scene.place, challenged);
      const document = {
        ...script.documents?.[path],
        ...(supported && { scopes_supported: [...supported] }),
      };
      scene.script = { ...script, documents: { [path]: document } };
      const user = scriptedBrowser();
      await signIn(scene, { browser: user });
      return user.opened[0]?.searchParams.get('scope') ?? undefined;
    };
    expect(await askedFor('bench:read', ['bench:read', 'bench:use'])).toBe('bench:read');
    expect(await askedFor('other:all', ['bench:read', 'bench:use'])).toBe('other:all');
    expect(await askedFor('bench:read other:all', ['bench:read'])).toBe('bench:read other:all');
    expect(await askedFor(undefined, ['bench:read', 'bench:use'])).toBe('bench:read bench:use');
    expect(await askedFor(undefined, undefined)).toBeUndefined();
  },
);
