import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

// In a process of its own, because the globals stay replaced.
const program = `
  import { countBuiltIns, takeTally } from ${JSON.stringify(new URL('built-ins.js', import.meta.url).href)};
  countBuiltIns();
  takeTally();
  const { parse } = JSON;
  const { setTimeout: later } = await import('node:timers');
  class Refusal extends TypeError {}
  const refusal = new Refusal('no', { cause: 1 });
  parse('[1]');
  JSON.stringify({});
  clearTimeout(later(() => {}, 1));
  clearTimeout(setTimeout(() => {}, 1));
  new Set(new Map([[1, 2]]).keys());
  new AbortController().signal.aborted;
  new URL('http://127.0.0.1');
  const kinds = [refusal instanceof TypeError, refusal.constructor === Refusal, refusal.cause, refusal.message];
  const { promises, ...tally } = takeTally();
  process.stdout.write(JSON.stringify({ kinds, tally }));
`;

it('counts built-ins that a module keeps in a variable or extends', () => {
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  expect(JSON.parse(said)).toEqual({
    kinds: [true, true, 1, 'no'],
    tally: {
      ...{ parse: 1, stringify: 1, timers: 2, turns: 0, errors: 1, aborts: 1, collections: 2 },
      webObjects: 1,
    },
  });
});
