import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { expect, onTestFinished } from 'vitest';
import { RawSession } from './raw-session.js';
import { requirement } from './requirement.js';

requirement(
  ['2025-03-26/sessions/id-secure', '2025-03-26/sessions/id-ascii', '2025-03-26/sessions/id-assigned'],
  { transports: ['http'] },
  async ({ revision }) => {
    const serving = await serveHttp(createServer({ name: 'bench', version: '1.0.0' }));
    onTestFinished(() => serving.close());
    const sessions = await Promise.all(
      Array.from({ length: 200 }, () => RawSession.open(serving.url, revision)),
    );
    const ids = sessions.map(({ id }) => id);
    expect(new Set(ids).size).toBe(200);
    // 128 random bits have 22 characters in base64url, and 36 as a UUID.
    for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{22,}$/);
    for (let at = 0; at < 8; at++) expect(new Set(ids.map((id) => id[at])).size).toBeGreaterThan(8);
  },
);
