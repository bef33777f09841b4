import { expect, it } from 'vitest';
import { createServer, type ServerOptions } from './index.js';

it.each<[object, string]>([
  [{ stateKey: [] }, 'createServer: there is no option "stateKey". Did you mean "stateKeys"?'],
  [{ limit: {} }, 'createServer: there is no option "limit". Did you mean "limits"?'],
  [{ colour: 1 }, 'createServer: there is no option "colour". There are: instructions,'],
  [{ instructions: ['x'] }, 'createServer: instructions must be a text.'],
  [{ declare: 'tools' }, 'createServer: declare must be a list of "tools", "prompts" and "resources".'],
  [{ logging: 'info' }, 'logging must be true or false.'],
  [{ onError: true }, 'onError must be a function.'],
  [{ cache: { list: 5 } }, 'cache: there is no option "list". Did you mean "lists"?'],
  [{ cache: { shared: 'yes' } }, 'cache: shared must be true or false.'],
  [{ keepAlive: { intervall: 5 } }, 'keepAlive: there is no option "intervall".'],
  [{ limits: { page: 5 } }, 'Unknown limit "page".'],
  [{ redact: true }, 'The option "redact" must be false, or a function'],
])('a server is not made with %j', (options, message) => {
  const making = () => createServer({ name: 'test', version: '1' }, options as ServerOptions);
  expect(making).toThrow(TypeError);
  expect(making).toThrow(message);
});

it('options that are undefined are as if they were left out', () => {
  const options = { onError: undefined, cache: undefined } as unknown as ServerOptions;
  expect(() => createServer({ name: 'test', version: '1' }, options)).not.toThrow();
});
