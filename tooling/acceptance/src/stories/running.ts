import { createServer, type Server } from '@tenon/mcp-server';

/** A tool that logs at three levels. */
export function loggingServer(): Server {
  const server = createServer({ name: 'logging', version: '1.0.0' });
  server.tool('saw', { description: 'Saws, and tells of it' }, (_input, ctx) => {
    ctx.log('debug', 'The saw is sharp');
    ctx.log('info', { board: 1 }, 'bench');
    ctx.log('error', 'The board broke');
    return 'Sawn';
  });
  return server;
}

/** A tool that reports progress, some of it invalid. */
export function progressServer(): Server {
  const server = createServer({ name: 'progress', version: '1.0.0' }, { logging: false });
  server.tool('plane', { description: 'Planes two boards' }, (_input, ctx) => {
    ctx.progress(1, 2, 'one board');
    ctx.progress(0.5, 2, 'backwards');
    ctx.progress(1, 2, 'again');
    ctx.progress(2, 2);
    return 'Planed';
  });
  return server;
}

/** A tool that never ends by itself. */
export function cancellationServer(): Server {
  const server = createServer({ name: 'cancellation', version: '1.0.0' }, { logging: false });
  server.tool(
    'glue',
    { description: 'Holds two boards together until told to stop' },
    async (_input, ctx) => {
      await new Promise((_resolve, reject) => {
        ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason), { once: true });
      });
      return 'Never told';
    },
  );
  server.tool('measure', { description: 'Measures' }, () => '40 mm');
  return server;
}

/** Tools that change the list of tools, and a resource. */
export function subscriptionsServer(): Server {
  const server = createServer({ name: 'subscriptions', version: '1.0.0' }, { logging: false });
  for (const board of ['left', 'right']) server.resource(`board://${board}`, { name: board }, () => board);
  server.tool('paint', { description: 'Paints both boards' }, () => {
    server.resourceUpdated('board://left');
    server.resourceUpdated('board://right');
    return 'Painted';
  });
  server.tool('lend', { description: 'Lends a tool away' }, () => {
    server.removeTool('chisel');
    return 'Lent';
  });
  server.tool('chisel', { description: 'Chisels' }, () => 'Chiselled');
  return server;
}

/** Tools that add or remove one entry of each list. */
export function listChangesServer(): Server {
  const server = createServer(
    { name: 'list-changes', version: '1.0.0' },
    { logging: false, declare: ['tools', 'prompts', 'resources'] },
  );
  const lent = new Set<string>();
  server.resource(
    'lent://{thing}',
    { name: 'lent', list: () => [...lent].map((thing) => ({ uri: `lent://${thing}`, name: thing })) },
    ({ variables }) => `The ${variables.thing} is lent`,
  );
  server.tool('chisel', { description: 'Chisels' }, () => 'Chiselled');
  server.tool('lend', { description: 'Lends the chisel away' }, () => {
    server.removeTool('chisel');
    lent.add('chisel');
    server.resourceListChanged();
    return 'Lent';
  });
  server.tool('learn', { description: 'Brings a prompt and a resource' }, () => {
    server.prompt('greet', { description: 'Says hello' }, () => 'Hello!');
    server.resource('file:///manual.txt', { name: 'manual.txt' }, () => 'Cut here.');
    return 'Learnt';
  });
  server.tool('forget', { description: 'Takes them away again' }, () => {
    server.removePrompt('greet');
    server.removeResource('file:///manual.txt');
    return 'Forgotten';
  });
  return server;
}
