import { createServer, type Server, type ServerOptions, type Visibility } from '@tenon/mcp-server';
import type { HttpOptions } from '@tenon/mcp-server/http';
import { z } from 'zod';
import { ManualClock } from '../http/manual-clock.js';
import { addBaskets } from './keeping.js';

/** Callers are who they say they are. */
export const authenticate: NonNullable<HttpOptions['authenticate']> = (credentials) => {
  const name = credentials.header('authorization');
  return name === undefined ? undefined : { id: name };
};

const annAlone: Visibility = (principal) => principal?.id === 'ann';

/** A server with something for Ann alone in each of its lists, and baskets that belong to whoever took them. */
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
  addBaskets(server, new ManualClock());
  return server;
}
