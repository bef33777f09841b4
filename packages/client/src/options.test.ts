import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { expect, it } from 'vitest';
import { linked } from '../test/linked.js';
import { ScriptedServer } from '../test/scripted-server.js';
import { serverScript } from '../test/scripts.js';
import type { ClientOptions } from './options.js';

const connecting = (options: object) =>
  linked(new ScriptedServer(serverScript(revision20260728)), options as Partial<ClientOptions>);

it.each<[object, string]>([
  [{ onElict: () => {} }, 'connect: there is no option "onElict". Did you mean "onElicit"?'],
  [{ onElicitation: () => {} }, 'connect: there is no option "onElicitation". Did you mean "onElicit"?'],
  [{ colour: 1 }, 'connect: there is no option "colour". There are: info,'],
  [{ onSample: 'model' }, 'connect: onSample must be a function.'],
  [{ cache: true }, 'cache must be false, or a ResponseCache such as new MemoryCache().'],
  [{ cache: new Map() }, 'cache must be false, or a ResponseCache'],
  [{ cache: { entries: 5 } }, 'cache must be false, or a ResponseCache'],
  [{ identity: { id: 'ada' } }, 'identity must be a text that is not empty.'],
  [{ identity: '' }, 'identity must be a text that is not empty.'],
  [{ rates: true }, 'rates must be false, or an object of rates.'],
  [{ logLevel: 'warn' }, 'logLevel must be one of debug, info,'],
  [{ middleware: () => {} }, 'middleware must be a list of functions.'],
  [{ capabilities: { sampling: {} } }, 'capabilities: there is no option "sampling".'],
  [{ reconnect: { attempt: 1 } }, 'reconnect: there is no option "attempt".'],
  [{ reconnect: { delay: '1s' } }, 'reconnect: delay must be a number, 0 or more.'],
  [{ reconnect: true }, 'reconnect must be false, or an object'],
  [{ keepAlive: { intervall: 1 } }, 'keepAlive: there is no option "intervall".'],
  [{ signal: {} }, 'signal must be an AbortSignal.'],
  [{ clock: {} }, 'clock must be a Clock.'],
  [{ limits: { page: 1 } }, 'Unknown limit "page".'],
  [{ unverifiedOutput: 'drop' }, 'unverifiedOutput must be'],
])('a client is not made with %j', async (options, message) => {
  await expect(connecting(options)).rejects.toThrow(TypeError);
  await expect(connecting(options)).rejects.toThrow(message);
});

it('a number out of range is a RangeError', async () => {
  await expect(connecting({ connectTimeout: 0 })).rejects.toThrow(RangeError);
});

it('options that are undefined are as if they were left out', async () => {
  const { state } = await connecting({ cache: undefined, identity: undefined, reconnect: undefined });
  expect(state).toBe('open');
});
