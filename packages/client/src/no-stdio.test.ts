import { expect, it } from 'vitest';
import { stdioTarget } from './no-stdio.js';

it('refuses a command, by name, when the client runs in a browser', () => {
  const start = () => stdioTarget({ command: 'node', args: ['server.js'] });
  expect(start).toThrow(TypeError);
  expect(start).toThrow(
    'A browser cannot start the program "node": give connect the URL of a server that is reached over HTTP.',
  );
});
