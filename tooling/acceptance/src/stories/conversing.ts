import { createServer, type Server } from '@tenon/mcp-server';

/** A server with one tool, to begin and to keep up a conversation with. */
export function lifecycleServer(): Server {
  const info = { name: 'lifecycle', title: 'The bench', version: '1.0.0', websiteUrl: 'https://example.com' };
  const server = createServer(info, { instructions: 'Measure twice.' });
  server.tool('measure', { description: 'Measures' }, () => '40 mm');
  return server;
}

/** Tools to be called several at a time. */
export function batchesServer(): Server {
  const server = createServer({ name: 'batches', version: '1.0.0' }, { logging: false });
  server.tool('measure', { description: 'Measures' }, () => '40 mm');
  server.tool('plane', { description: 'Planes a board' }, (_input, ctx) => {
    ctx.progress(1, 1);
    return 'Planed';
  });
  return server;
}
