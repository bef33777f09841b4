import { type Exchange, InsufficientScopeError, revisions } from '@tenon/mcp-protocol';
import { expect, test } from 'vitest';
import { call, modern, Rig } from '../../test/rig.js';
import { statelessEndpoint } from '../conversation/stateless-endpoint.js';

/** Answers a request that lacks scopes. Returns the answer and the calls of the exchange, in order. */
async function lacking(exchange: Partial<Exchange> = {}) {
  const reported: unknown[] = [];
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
    scopesLacking: (scopes) => reported.push(scopes),
    failed: (code) => reported.push(code),
    ...exchange,
  });
  return { reported, errors, answer: JSON.parse(answer ?? '') };
}

test('the exchange receives the scopes that the caller lacks, ahead of the answer', async () => {
  const { reported, errors, answer } = await lacking();
  expect(reported).toEqual([['a', 'b'], -31003]);
  expect(answer.error).toEqual({
    code: -31003,
    message: 'This takes the scopes a b.',
    data: { requiredScopes: ['a', 'b'] },
  });
  expect(errors).toEqual([]);
});

test('answers with an error without details when the transport fails to name the scopes', async () => {
  const boom = new Error('secret detail');
  const { errors, answer } = await lacking({
    scopesLacking: () => {
      throw boom;
    },
  });
  expect(answer.error).toEqual({ code: -32603, message: 'Internal error' });
  expect(errors).toEqual([boom]);
});
