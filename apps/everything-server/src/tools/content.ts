import type { Server } from '@tenon/mcp-server';
import { redPixel, silence } from '../media.js';

const annotations = { readOnlyHint: true };
const image = { type: 'image', data: redPixel, mimeType: 'image/png' } as const;

/** Tools that return each kind of content. */
export function addContentTools(server: Server): void {
  server.tool(
    'test_simple_text',
    { description: 'Returns content with one text', annotations },
    () => 'This is a simple text response for testing.',
  );
  server.tool(
    'test_image_content',
    { description: 'Returns content with one image', annotations },
    () => image,
  );
  server.tool('test_audio_content', { description: 'Returns content with one sound', annotations }, () => ({
    type: 'audio',
    data: silence,
    mimeType: 'audio/wav',
  }));
  server.tool(
    'test_embedded_resource',
    { description: 'Returns a resource inside the result', annotations },
    () => ({
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    }),
  );
  server.tool(
    'test_multiple_content_types',
    { description: 'Returns a text, an image and a resource in one result', annotations },
    () => [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  );
  server.tool('test_resource_link', { description: 'Returns a pointer to a resource', annotations }, () => ({
    type: 'resource_link',
    uri: 'test://static-text',
    name: 'static-text',
    mimeType: 'text/plain',
  }));
}
