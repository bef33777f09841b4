// Stands in for what tells you who is calling: a session of your web application, a verified token, an API key.
import type { Principal } from '@tenon/mcp-server';

const people: ReadonlyMap<string, Principal> = new Map([
  ['Bearer token-of-ada', { id: 'ada' }],
  ['Bearer token-of-bob', { id: 'bob' }],
]);

export function personOf(authorization: string | undefined): Principal | undefined {
  return people.get(authorization ?? '');
}
