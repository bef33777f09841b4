// In a real program: a session of your web application, a verified token, or an API key.
import type { Principal } from '@tenon/mcp-server';

const people: ReadonlyMap<string, Principal> = new Map([
  ['Bearer token-of-ada', { id: 'ada' }],
  ['Bearer token-of-bob', { id: 'bob' }],
]);

export function personOf(authorization: string | undefined): Principal | undefined {
  return people.get(authorization ?? '');
}
