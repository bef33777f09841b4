import { createServer, type Server, type ServerOptions, type Visibility } from '@tenon/mcp-server';
import type { HttpOptions } from '@tenon/mcp-server/http';
import { FakeClock } from '@tenon/mcp-testing';
import { z } from 'zod';
import { addBaskets } from './keeping.js';

/** Identifies callers by the name they send. */
export const authenticate: NonNullable<HttpOptions['authenticate']> = (credentials) => {
  const name = credentials.header('authorization');
  return name === undefined ? undefined : { id: name };
};

const annAlone: Visibility = (principal) => principal?.id === 'ann';

/** A server with one entry for Ann in each list, and baskets that belong to the caller who took them. */
export function visibilityServer(options: ServerOptions): Server {
  const server = createServer({ name: 'visibility', version: '1.0.0' }, { logging: false, ...options });
  server.tool('measure', { description: 'Measures' }, () => '40 mm');
  server.tool('weld', { description: 'Welds', visible: annAlone }, () => 'Welded');
  const diary = { name: 'diary.txt', visible: annAlone };
  server.resource('file:///diary.txt', diary, () => 'Rain.');
  server.prompt(
    'confess',
    {
      description: 'Tells all',
      args: z.object({ sin: z.string() }),
      complete: { sin: () => ['sloth'] },
      visible: annAlone,
    },
    ({ sin }) => sin,
  );
  addBaskets(server, new FakeClock());
  return server;
}
