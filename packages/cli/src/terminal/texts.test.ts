import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { Terminal } from './terminal.js';
import { tableLines } from './texts.js';

it('keeps a text with line feeds in its cell', () => {
  const [input, output, error] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const terminal = new Terminal({ input, output, error, env: {}, cwd: '/' });
  const rows = [
    ['name', 'length'],
    ['a\n\tname', '6'],
    ['b', '1'],
  ];
  expect(tableLines(rows, terminal)).toEqual(['name    length', 'a name  6', 'b       1']);
});
