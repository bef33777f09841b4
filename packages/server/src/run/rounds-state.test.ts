import { describe, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { type Caller, form, refused, serving, yes } from '../../test/serving-rounds.js';
import type { Run } from './run.js';

describe('state', () => {
  const requestingInput = (inputRequester: Run) => inputRequester.requestInput('q', form());
  const answered = (requestState: unknown) => ({ inputResponses: { q: yes }, requestState });
  const invalid = refused('requestState: is not valid for this request.');
  const alice = { id: 'alice', issuer: 'https://a.example' };

  test('too large for its bound is reported, and is an internal error to the peer', async () => {
    shows('2026-07-28/basic/patterns/mrtr/protocol-errors');
    const { call, reported } = serving(async (inputRequester) => {
      await inputRequester.once('big', () => 'x'.repeat(70_000));
      await requestingInput(inputRequester);
    });
    await expect(call()).rejects.toMatchObject({ code: -32603, message: 'Internal error' });
    expect(reported.map(String)).toEqual([
      expect.stringMatching(
        /^RangeError: .*tools\/call "tool": .* takes \d+ characters, and 65536 are.*keep less/,
      ),
    ]);
  });

  test('that is tampered with, cut, extended or made up is refused', async () => {
    shows(
      '2026-07-28/basic/index/explicit-state',
      '2026-07-28/basic/patterns/mrtr/state-untrusted',
      '2026-07-28/basic/patterns/mrtr/state-rejected',
      '2026-07-28/basic/patterns/mrtr/validate-state',
    );
    const { call } = serving(requestingInput);
    const { requestState = '' } = await call();
    for (const text of [
      `${requestState}-TAMPERED`,
      requestState.slice(1),
      requestState.slice(0, -1),
      '',
      'AQ',
      '%',
      7,
    ]) {
      await expect(call(answered(text)), String(text)).rejects.toEqual(invalid);
    }
  });

  test('of another server is refused', async () => {
    shows('2026-07-28/basic/patterns/mrtr/state-rejected');
    const { requestState } = await serving(requestingInput).call();
    await expect(serving(requestingInput).call(answered(requestState))).rejects.toEqual(invalid);
  });

  test('that has expired is rejected with that reason', async () => {
    shows('2026-07-28/basic/patterns/mrtr/state-expiry');
    let now = 0;
    const { call } = serving(requestingInput, { now: () => now });
    const { requestState } = await call();
    now = 599_999;
    expect(await call(answered(requestState))).toEqual(yes);
    now = 600_000;
    await expect(call(answered(requestState))).rejects.toEqual(
      refused('requestState: has expired: make the request anew.'),
    );
  });

  test.each<[string, Caller, ...string[]]>([
    [
      'another principal',
      { principal: { ...alice, id: 'mallory' } },
      '2026-07-28/basic/patterns/mrtr/state-principal',
      '2026-07-28/client/elicitation/state-associated',
      '2026-07-28/client/elicitation/bound-to-user',
    ],
    ['a principal of another issuer', { principal: { ...alice, issuer: 'https://b.example' } }],
    ['a principal without issuer', { principal: { id: 'alice' } }],
    [
      'nobody',
      {},
      '2026-07-28/basic/patterns/mrtr/state-principal',
      '2026-07-28/client/elicitation/state-protected',
    ],
    [
      'another method',
      { principal: alice, method: 'prompts/get' },
      '2026-07-28/basic/patterns/mrtr/state-request',
    ],
    ['another tool', { principal: alice, params: { name: 'other' } }],
    [
      'other arguments',
      { principal: alice, params: { arguments: { city: 'Rome', days: 1 } } },
      '2026-07-28/basic/patterns/mrtr/state-request',
    ],
    ['no arguments', { principal: alice, params: { arguments: undefined } }],
  ])('presented by or for %s is refused', async (_, caller, ...ids) => {
    shows(...ids);
    const { call } = serving(requestingInput);
    const { requestState } = await call({}, { principal: alice });
    await expect(call(answered(requestState), caller)).rejects.toEqual(invalid);
  });

  test('opens for the same call, with any order of its arguments and any _meta', async () => {
    shows('2026-07-28/basic/index/explicit-state');
    const { call } = serving(requestingInput);
    const { requestState } = await call({ _meta: { progressToken: 1 } }, { principal: alice });
    const params = { _meta: { progressToken: 2 }, arguments: { days: 1, city: 'Oslo' } };
    expect(await call(answered(requestState), { principal: { ...alice, scopes: ['x'] }, params })).toEqual(
      yes,
    );
  });

  test('tells the client nothing', async () => {
    shows(
      '2026-07-28/basic/patterns/mrtr/request-state-optional',
      '2026-07-28/basic/patterns/mrtr/state-integrity',
      '2026-07-28/client/elicitation/state-protected',
      '2026-07-28/client/sampling/sensitive-data',
      '2026-07-28/index/privacy',
    );
    const { call } = serving(async (inputRequester) => {
      await inputRequester.once('secret', () => 'hunter2');
      return requestingInput(inputRequester);
    });
    const { requestState = '' } = await call();
    expect(atob(requestState.replaceAll('-', '+').replaceAll('_', '/'))).not.toContain('hunter2');
  });
});
