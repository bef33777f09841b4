import { systemClock } from '@tenon/foundation';
import type { InputRequest } from '@tenon/mcp-protocol';
import { revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { defaultLimits, IncomingRequest, MissingCapabilityError } from '@tenon/mcp-session';
import { describe, expect, test } from 'vitest';
import { roundsBounds } from '../core/limits.js';
import { createSealer } from '../sealing/sealing.js';
import { LiveRun } from './live-run.js';
import type { Run } from './run.js';

const roots: InputRequest = { method: 'roots/list' };

describe.each([revision20251125, revision20260728])('a client without capabilities in $id', (revision) => {
  /** Runs a handler for a request of this client. */
  function call<T>(handler: (host: Run) => T | Promise<T>) {
    const reported: unknown[] = [];
    const facts = {
      id: 1,
      method: 'tools/call',
      params: { name: 'tool' },
      revision,
      from: { clientCapabilities: {} },
    };
    const conversation = { request: () => Promise.reject(new Error('must not be called')) } as never;
    const host = { side: 'server', clock: systemClock, limits: defaultLimits, conversation } as const;
    const request = new IncomingRequest(facts, { facts: {}, send: () => undefined }, host);
    const onError = (error: unknown) => void reported.push(error);
    return {
      reported,
      result: new LiveRun({ limits: roundsBounds, sealer: createSealer(), onError }, request).run(handler),
    };
  }

  test('is answered at once when the handler returns at once', () => {
    expect(call(() => 'done').result).toBe('done');
    expect(() =>
      call(() => {
        throw new Error('no');
      }),
    ).toThrow('no');
  });

  test('refuses an input request with MissingCapabilityError', async () => {
    const { result } = call((host) => {
      const inputRequester = host;
      return inputRequester.track('where', inputRequester.requestInput('where', roots));
    });
    await expect(result).rejects.toBeInstanceOf(MissingCapabilityError);
  });

  test('runs a step of once, and rejects with the error of a step', async () => {
    const { result } = call((host) => host.once('step', () => [1]));
    expect(await result).toEqual([1]);
    const failing = call((host) => host.once('step', () => Promise.reject(new Error('author'))));
    await expect(failing.result).rejects.toThrow('author');
  });

  test('reports an input request that the handler does not await', () => {
    const { result, reported } = call((host) => {
      const inputRequester = host;
      void inputRequester.track('where', inputRequester.requestInput('where', roots));
      return 'done';
    });
    expect(result).toBe('done');
    expect(String(reported[0])).toMatch(/returned without awaiting the input request "where"/);
  });

  test('reports it when the handler is asynchronous', async () => {
    const { result, reported } = call(async (host) => {
      const inputRequester = host;
      void inputRequester.track('where', inputRequester.requestInput('where', roots));
    });
    await result;
    await Promise.resolve();
    expect(String(reported[0])).toMatch(/without awaiting the input request "where"/);
  });
});
