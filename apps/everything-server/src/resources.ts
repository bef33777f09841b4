import type { Server } from '@tenon/mcp-server';
import { redPixel } from './media.js';

/** The resource to subscribe to. */
export const watchedUri = 'test://watched-resource';

const identifiers = ['123', '124', '200'];

/** Resources with text and with bytes, one that changes, and a template. */
export function addResources(server: Server): void {
  server.resource(
    'test://static-text',
    { name: 'static-text', description: 'A text that never changes', mimeType: 'text/plain' },
    () => 'This is the content of the static text resource.',
  );

  server.resource(
    'test://static-binary',
    { name: 'static-binary', description: 'An image that never changes', mimeType: 'image/png' },
    () => Buffer.from(redPixel, 'base64'),
  );

  server.resource(
    watchedUri,
    { name: 'watched-resource', description: 'A text that changes when told to', mimeType: 'text/plain' },
    () => 'This is the content of the watched resource.',
  );

  server.resource(
    'test://template/{id}/data',
    {
      name: 'template',
      description: 'Data by identifier',
      mimeType: 'application/json',
      complete: { id: (typed) => identifiers.filter((id) => id.startsWith(typed)) },
    },
    ({ variables: { id } }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  );
}
