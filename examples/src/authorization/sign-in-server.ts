// A server to try sign-in.ts with: that of protect-server.ts, and an authorization server for tests.
import { startTestAuthorizationServer } from '@tenon/mcp-testing/oauth';

const authorization = await startTestAuthorizationServer({ consent: true, user: 'ada' });
process.env.ISSUER = authorization.issuer;
const { serving } = await import('./protect-server.js');
console.log(serving.url);
