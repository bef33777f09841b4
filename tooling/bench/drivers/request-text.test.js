import { describe, expect, it } from 'vitest';
import { wires, workloads } from '../matrix/wires.js';
import { refusedRequest, requestText } from './request-text.js';

const lifecycles = /** @type {import('../matrix/wires.js').Lifecycle[]} */ (Object.keys(wires));
const names = /** @type {(keyof typeof workloads)[]} */ (Object.keys(workloads));

describe('requestText', () => {
  it.each(lifecycles.flatMap((lifecycle) => names.map((workload) => ({ lifecycle, workload }))))(
    'writes the request of a client: $lifecycle, $workload',
    (kind) => {
      const { method, params } = workloads[kind.workload];
      const expected = wires[kind.lifecycle].request(42, method, params(42));
      expect(JSON.parse(requestText(kind)(42))).toEqual(JSON.parse(JSON.stringify(expected)));
    },
  );
});

describe('refusedRequest', () => {
  it('breaks the schema of the called tool', () => {
    expect(refusedRequest({ lifecycle: 'session', workload: 'call' }, 7)).toMatchObject({
      id: 7,
      params: { name: 'plan', arguments: { days: 'three' } },
    });
    expect(refusedRequest({ lifecycle: 'session', workload: 'list' }, 7)).toBeUndefined();
  });
});
