import { setImmediate as turn } from 'node:timers/promises';
import { otherBounds } from '@tenon/foundation';
import { createServer, type Server } from '@tenon/mcp-server';
import { FakeClock } from '@tenon/mcp-testing';
import { z } from 'zod';

/** Adds a resource that moves the clock when it is read, by the time in its URI. */
function addTime(server: Server, clock: FakeClock): Server {
  server.resource('time://seconds/{count}', { name: 'time' }, async ({ variables }) => {
    await clock.advance(Number(variables.count) * 1_000);
    return 'Passed';
  });
  return server;
}

/** Limits to two calls and one completion at once, and one more of each every two seconds. */
export function ratesServer(): Server {
  const clock = new FakeClock();
  const rates = {
    calls: { perSecond: 0.5, burst: 2 },
    completions: { perSecond: 0.5, burst: 1 },
    // Requests without a session share one count on transports without addresses.
    by: () => 'everybody',
  };
  const server = createServer({ name: 'rates', version: '1.0.0' }, { logging: false, clock, rates });
  server.tool('measure', { description: 'Measures' }, () => '40 mm');
  server.prompt(
    'order',
    {
      description: 'Orders wood',
      args: z.object({ wood: z.string() }),
      complete: { wood: () => ['ash', 'oak'] },
    },
    ({ wood }) => wood,
  );
  return addTime(server, clock);
}

/** Handlers that never end, with a time limit of ten seconds, and of two for one of them. */
export function handlerTimeServer(): Server {
  const clock = new FakeClock();
  const server = createServer(
    { name: 'handler-time', version: '1.0.0' },
    { logging: false, clock, limits: { handlerTime: 10_000 }, onError: () => {} },
  );
  const never = async (seconds: number): Promise<string> => {
    // The server has noticed by then that the handler is still running.
    await turn();
    await clock.advance(seconds * 1_000);
    return new Promise(() => {});
  };
  server.tool('glue', { description: 'Waits for glue to dry' }, () => never(11));
  server.tool('nail', { description: 'Looks for a nail', timeout: 2_000 }, () => never(3));
  server.tool('measure', { description: 'Measures' }, () => '40 mm');
  server.prompt('ponder', { description: 'Thinks about it' }, () => never(11));
  server.resource('file:///plans/lost.txt', { name: 'lost.txt' }, () => never(11));
  return server;
}

/** Results beyond the maximum size, of each kind. */
export function resultSizeServer(): Server {
  const server = createServer(
    { name: 'result-size', version: '1.0.0' },
    { logging: false, limits: { resultSize: 1_000 }, onError: () => {} },
  );
  const dust = 'dust '.repeat(200);
  server.tool('sweep', { description: 'Collects all the dust' }, () => dust);
  server.tool('measure', { description: 'Measures' }, () => '40 mm');
  server.prompt('dust', { description: 'Tells of dust' }, () => dust);
  server.resource('file:///dust.txt', { name: 'dust.txt' }, () => dust);
  return server;
}

/** A tool that logs too often, on a server that sends two messages a second. */
export function logRateServer(): Server {
  const clock = new FakeClock();
  const server = createServer(
    { name: 'log-rate', version: '1.0.0' },
    { clock, limits: otherBounds({ logsPerSecond: 2 }) },
  );
  server.tool('saw', { description: 'Saws five boards, and a sixth a second later' }, async (_input, ctx) => {
    for (let board = 1; board <= 5; board++) ctx.log('info', `board ${board}`);
    await clock.advance(1_000);
    ctx.log('info', 'board 6');
    return 'Sawn';
  });
  return server;
}

/** A tool that logs credentials. */
export function redactionServer(): Server {
  const server = createServer({ name: 'redaction', version: '1.0.0' });
  server.tool('buy', { description: 'Buys wood, and tells too much' }, (_input, ctx) => {
    ctx.log('info', {
      wood: 'oak',
      password: 'swordfish',
      headers: { authorization: 'Bearer abcdefghijkl' },
    });
    return 'Bought';
  });
  return server;
}

/** A server that expects a message from its client every ten seconds. */
export function keepAliveServer(): Server {
  const clock = new FakeClock();
  const server = createServer(
    { name: 'keep-alive', version: '1.0.0' },
    { logging: false, clock, keepAlive: { interval: 10_000 } },
  );
  return addTime(server, clock);
}
