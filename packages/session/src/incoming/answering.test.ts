import { type Exchange, InsufficientScopeError, revisions } from '@tenon/mcp-protocol';
import { expect, test } from 'vitest';
import { call, modern, Rig } from '../../test/rig.js';
import { statelessEndpoint } from '../endpoint/stateless-endpoint.js';

/** Has a request answered whose handler lacks scopes; gives the answer and what was told to the exchange, in order. */
async function lacking(exchange: Partial<Exchange> = {}) {
  const told: unknown[] = [];
  const errors: unknown[] = [];
  const handle = async () => {
    throw new InsufficientScopeError(['a', 'b']);
  };
  const rig = new Rig({
    revisions,
    requests: { 'tools/call': handle },
    onError: (error) => errors.push(error),
  });
  const answer = await statelessEndpoint(rig.behaviour).receive(modern(1, 'tools/call', call()), {
    facts: {},
    send: () => undefined,
    scopesLacking: (scopes) => told.push(scopes),
    failed: (code) => told.push(code),
    ...exchange,
  });
  return { told, errors, answer: JSON.parse(answer ?? '') };
}

test('the exchange of a caller who lacks scopes hears which, ahead of the answer', async () => {
  const { told, errors, answer } = await lacking();
  expect(told).toEqual([['a', 'b'], -31003]);
  expect(answer.error).toEqual({
    code: -31003,
    message: 'This takes the scopes a b.',
    data: { requiredScopes: ['a', 'b'] },
  });
  expect(errors).toEqual([]);
});

test('where a carrier cannot say which scopes it takes, the answer is an error that says nothing', async () => {
  const boom = new Error('secret detail');
  const { errors, answer } = await lacking({
    scopesLacking: () => {
      throw boom;
    },
  });
  expect(answer.error).toEqual({ code: -32603, message: 'Internal error' });
  expect(errors).toEqual([boom]);
});
