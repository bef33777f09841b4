import { systemClock } from '@tenon/foundation';
import type { InputRequest, Principal, UnknownObject } from '@tenon/mcp-protocol';
import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { defaultLimits, IncomingRequest } from '@tenon/mcp-session';
import { expect } from 'vitest';
import { type RoundsBounds, roundsBounds } from '../src/core/limits.js';
import { runRounds } from '../src/run/rounds.js';
import type { Run } from '../src/run/run.js';
import { createSealer, type SealerOptions } from '../src/sealing/sealing.js';

export interface Outcome extends UnknownObject {
  readonly inputRequests?: { readonly [key: string]: InputRequest };
  readonly requestState?: string;
}

export interface Caller {
  readonly method?: string;
  readonly params?: UnknownObject;
  readonly principal?: Principal;
  readonly capabilities?: UnknownObject;
}

const everything = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
export const yes = { action: 'accept', content: { value: 'yes' } };

export function form(message = '?'): InputRequest {
  const requestedSchema = { type: 'object', properties: { value: { type: 'string' } } } as const;
  return { method: 'elicitation/create', params: { message, requestedSchema } };
}

export const sampling = {
  method: 'sampling/createMessage',
  params: { messages: [], maxTokens: 1 },
} as const satisfies InputRequest;

/** A server with one handler; each call is an exchange of its own. */
export function serving(
  handler: (inputRequester: Run, host: Run) => unknown,
  more: SealerOptions & { readonly rounds?: Partial<RoundsBounds> } = {},
) {
  const reported: unknown[] = [];
  const options = {
    sealer: createSealer(more),
    limits: { ...roundsBounds, ...more.rounds },
    onError: (error: unknown) => void reported.push(error),
  };
  const call = async (given: UnknownObject = {}, caller: Caller = {}): Promise<Outcome> => {
    const params = { name: 'tool', arguments: { city: 'Oslo', days: 1 }, ...caller.params, ...given };
    const message = { id: 1, method: caller.method ?? 'tools/call', params, revision: revision20260728 };
    const from = { clientCapabilities: caller.capabilities ?? everything };
    const facts = caller.principal === undefined ? {} : { principal: caller.principal };
    const host = {
      side: 'server',
      clock: systemClock,
      limits: defaultLimits,
      conversation: undefined,
    } as const;
    const request = new IncomingRequest({ ...message, from }, { facts, send: () => undefined }, host);
    return (await runRounds(options, { request }, (requestingInput) =>
      handler(requestingInput, requestingInput),
    )) as Outcome;
  };
  return { call, reported };
}

export const keysOf = (outcome: Outcome) => Object.keys(outcome.inputRequests ?? {});
export const refused = (message: string) =>
  expect.objectContaining({ code: -32602, message: `params.${message}` });
