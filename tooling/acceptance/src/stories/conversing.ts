import { createServer, ErrorCode, type RevisionTraits, RpcError, type Server } from '@tenon/mcp-server';
import { defineExtension } from '@tenon/mcp-server/extension';
import { z } from 'zod';

/** A server with one tool, for the lifecycle. */
export function lifecycleServer(): Server {
  const info = { name: 'lifecycle', title: 'The bench', version: '1.0.0', websiteUrl: 'https://example.com' };
  const server = createServer(info, { instructions: 'Measure twice.' });
  server.tool('measure', { description: 'Measures' }, () => '40 mm');
  return server;
}

/** Tools for batches of calls. */
export function batchesServer(): Server {
  const server = createServer({ name: 'batches', version: '1.0.0' }, { logging: false });
  server.tool('measure', { description: 'Measures' }, () => '40 mm');
  server.tool('plane', { description: 'Planes a board' }, (_input, ctx) => {
    ctx.progress(1, 1);
    return 'Planed';
  });
  return server;
}

/** A server with one revision. */
export function negotiationServer(revision: string): Server {
  const options = { logging: false, revisions: [revision] };
  const server = createServer({ name: 'negotiation', version: '1.0.0' }, options);
  server.tool('measure', { description: 'Measures' }, () => '40 mm');
  return server;
}

/** An extension without code, advertised if the revision defines extensions. */
function external(id: string, settings: object) {
  const offered = ({ lifecycle }: RevisionTraits) =>
    lifecycle === 'stateless' ? { ...settings } : undefined;
  return defineExtension({ id, settings: offered, external: true });
}

/** Tools that use an extension both ends declare. */
export function extensionsServer(): Server {
  const server = createServer(
    { name: 'extensions', version: '1.0.0' },
    {
      logging: false,
      extensions: [external('com.example/laser', { watts: 40 }), external('com.example/lathe', {})],
    },
  );
  server.tool('cut', { description: 'Cuts, by laser where it can' }, (_input, ctx) => {
    const laser = ctx.extension('com.example/laser');
    return laser === undefined ? 'Sawn' : `Cut by laser: ${JSON.stringify(laser)}`;
  });
  return server;
}

/** A server with experimental capabilities. */
export function experimentalServer(): Server {
  const server = createServer(
    { name: 'experimental', version: '1.0.0' },
    { logging: false, experimental: { holograms: { colours: 2 } } },
  );
  server.tool('show', { description: 'Shows what the client tries out' }, (_input, ctx) =>
    JSON.stringify(ctx.clientCapabilities.experimental ?? 'nothing'),
  );
  return server;
}

const traceKeys = ['traceparent', 'tracestate', 'baggage'];

/** A tool that returns its trace context, and a result with metadata. */
export function traceServer(): Server {
  const server = createServer({ name: 'trace', version: '1.0.0' }, { logging: false });
  server.tool('trace', { description: 'Says in whose trace it runs' }, (_input, ctx) => ({
    content: [
      { type: 'text', text: traceKeys.map((key) => `${key}: ${ctx.meta(key) ?? 'none'}`).join('\n') },
    ],
    _meta: { 'example.com/cost': 2 },
  }));
  return server;
}

/** All kinds of errors, and their form on the wire. */
export function errorsServer(): Server {
  const server = createServer({ name: 'errors', version: '1.0.0' }, { logging: false, onError: () => {} });
  const refuse = () => {
    throw new RpcError(4_001, 'The bench is locked.', { data: { key: 'brass' } });
  };
  const crash = () => {
    throw new Error('The password is "swordfish".');
  };
  server.tool('refuse', { description: 'Answers with an error of its own' }, refuse);
  server.tool('reserve', { description: 'Rejects what it receives' }, () => {
    throw new RpcError(ErrorCode.invalidParams, 'There is no such board.');
  });
  server.tool(
    'promise',
    { description: 'Breaks its word', output: z.object({ sum: z.number() }) },
    () => ({ sum: 'forty' }) as never,
  );
  server.tool('paint', { description: 'Returns a picture that is none' }, () => ({
    content: [{ type: 'image', data: 'no base64!', mimeType: 'image/png' }],
  }));
  server.prompt('refuse', { description: 'Answers with an error of its own' }, refuse);
  server.prompt('crash', { description: 'Fails' }, crash);
  server.prompt('explain', { description: 'Explains', args: z.object({ joint: z.string() }) }, () => 'So.');
  server.resource('file:///plans/crash.txt', { name: 'crash.txt' }, crash);
  return server;
}
