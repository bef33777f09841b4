import { type ClientOptions, RpcError as ClientRpcError } from '@tenon/mcp-client';
import {
  type Context,
  createServer,
  isSuspension,
  RemoteError,
  RpcError,
  type Server,
  type ServerOptions,
  ToolError,
} from '@tenon/mcp-server';
import { connectTest, everyRevision, FakeClock } from '@tenon/mcp-testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const info = { name: 'test', version: '1.0.0' };
const spec = 'https://modelcontextprotocol.io/specification';

/** The view of each participant of a failure: an error as `name code-or-reason: message`. */
interface Seen {
  /** The error the handler receives for an input request. */
  readonly author?: string;
  /** The errors reported to `onError` of the server. */
  readonly server?: readonly string[];
  /** The errors reported to `onError` of the client. */
  readonly client?: readonly string[];
  /** The rejection the caller receives, or the text of a result with `isError`. */
  readonly caller: string;
}

interface Failure {
  readonly name: string;
  readonly declare: (server: Server, seen: (error: unknown) => void, entered: () => void) => unknown;
  readonly server?: ServerOptions;
  readonly client?: Partial<ClientOptions>;
  readonly params?: object;
  /** Milliseconds that pass at the server. */
  readonly ms?: number;
  readonly sees: Seen;
  /** Revisions with another outcome, required by a page of the specification. */
  readonly except?: { readonly revisions: readonly string[]; readonly page: string; readonly sees: Seen };
}

const [newest = ''] = everyRevision;
const handshake = everyRevision.slice(1);
const withoutElicitation = handshake.slice(2);
const failed =
  'isError: The tool "t" failed. (Authors: throw ToolError to tell the model why, or set exposeErrors.)';

const throwing = (error: unknown) => (server: Server) =>
  server.tool('t', {}, () => {
    throw error;
  });

/** A tool that sends an input request, and records its error. */
const asking =
  (request: (ctx: Context) => Promise<unknown>) => (server: Server, seen: (error: unknown) => void) =>
    server.tool('t', {}, async (_, ctx) => {
      try {
        return JSON.stringify(await request(ctx));
      } catch (error) {
        seen(error);
        throw error;
      }
    });

const sample = (ctx: Context) =>
  ctx.sample('thought', {
    messages: [{ role: 'user', content: { type: 'text', text: 'Well?' } }],
    maxTokens: 5,
  });
const elicit = (ctx: Context) =>
  ctx.elicit('name', { message: 'Who?', schema: z.object({ name: z.string() }) });

const lacking = (what: string, more = ''): Seen => {
  const text = `This needs a client that declares ${what}${more}.`;
  return {
    author: `MissingCapabilityError capability-missing: ${text}`,
    caller: `RemoteError -32021: tools/call t: ${text}`,
  };
};

/** Responses in results have no form for errors: a client without a response cannot repeat the call. */
const noErrorAnswers = `${spec}/2026-07-28/basic/patterns/mrtr`;

const failures: readonly Failure[] = [
  {
    name: 'a tool that throws an Error',
    declare: throwing(new Error('boom')),
    sees: { server: ['Error: boom'], caller: failed },
  },
  {
    name: 'a tool that throws an RpcError',
    declare: throwing(new RpcError(4_001, 'no')),
    sees: { caller: 'RemoteError 4001: tools/call t: no' },
  },
  {
    name: 'a tool that throws a ToolError',
    declare: throwing(new ToolError('no')),
    sees: { caller: 'isError: no' },
  },
  {
    name: 'a tool that throws a RemoteError',
    declare: throwing(new RemoteError({ code: 4_001, message: 'no' }, { method: 'ping' })),
    sees: { server: ['RemoteError 4001: ping: no'], caller: failed },
  },
  {
    name: 'a tool that is not there',
    declare: (server) => server.tool('other', {}, () => 'here'),
    sees: { caller: 'RemoteError -32602: tools/call t: Unknown tool: t' },
  },
  {
    name: 'arguments that do not match the schema',
    declare: (server) => server.tool('t', { input: z.object({ n: z.number() }) }, () => 'here'),
    params: { arguments: { n: 'x' } },
    sees: {
      caller: 'isError: Invalid arguments for tool t: n: Invalid input: expected number, received string',
    },
    except: {
      revisions: everyRevision.slice(2),
      page: `${spec}/2025-06-18/server/tools#error-handling`,
      sees: {
        caller:
          'RemoteError -32602: tools/call t: Invalid arguments for tool t: n: Invalid input: expected number, received string',
      },
    },
  },
  {
    name: 'output that does not match the schema',
    declare: (server) =>
      server.tool('t', { output: z.object({ n: z.number() }) }, () => ({ n: 'x' }) as never),
    sees: {
      server: [
        'TypeError: Tool "t" returned output that breaks its own schema: n: Invalid input: expected number, received string',
      ],
      caller: 'isError: Tool t failed: its output does not have the promised shape.',
    },
  },
  {
    name: 'a result that is too large',
    declare: (server) => server.tool('t', {}, () => 'x'.repeat(2_000)),
    server: { limits: { resultSize: 1_000 } },
    sees: {
      server: [
        expect.stringMatching(
          /^SessionError limit: Tool t gave a result of \d+ characters, and at most 1000 /,
        ),
      ],
      caller: expect.stringMatching(/^isError: Tool t gave a result of \d+ characters, and at most 1000 /),
    },
  },
  {
    name: 'a handler that takes too long',
    declare: (server, _, entered) =>
      server.tool('t', {}, () => {
        entered();
        return new Promise<string>(() => undefined);
      }),
    server: { limits: { handlerTime: 5_000 } },
    ms: 20_000,
    sees: {
      server: ['SessionError timeout: Tool t was stopped: it took longer than 5 s.'],
      caller: 'isError: Tool t was stopped: it took longer than 5 s.',
    },
  },
  {
    name: 'sampling that the client did not declare',
    declare: asking(sample),
    sees: lacking('sampling'),
  },
  {
    name: 'roots that the client did not declare',
    declare: asking((ctx) => ctx.roots('roots')),
    sees: lacking('roots'),
  },
  {
    name: 'elicitation that the client did not declare',
    declare: asking(elicit),
    sees: lacking('elicitation by form'),
    except: {
      revisions: withoutElicitation,
      page: `${spec}/2025-03-26/client`,
      sees: {
        author: expect.stringMatching(
          /^MissingCapabilityError capability-missing: .*, which 202\d-\d\d-\d\d does not have\.$/,
        ),
        caller: expect.stringMatching(
          /^RemoteError -32021: tools\/call t: This needs a client that declares elicitation by form, which 202\S* does not have\.$/,
        ),
      },
    },
  },
  {
    name: 'a client handler that throws an Error',
    declare: asking(sample),
    client: {
      onSample: () => {
        throw new Error('boom');
      },
    },
    sees: {
      author: 'RemoteError -32603: sampling/createMessage: Internal error',
      client: ['Error: boom'],
      caller: 'isError: The client did not answer sampling/createMessage: Internal error',
    },
    except: { revisions: [newest], page: noErrorAnswers, sees: { caller: 'Error: boom' } },
  },
  {
    name: 'a user who declines sampling',
    declare: asking(sample),
    client: {
      onSample: () => {
        throw new ClientRpcError(-1, 'User rejected sampling request');
      },
    },
    sees: {
      author: 'RemoteError -1: sampling/createMessage: User rejected sampling request',
      caller: 'isError: The client did not answer sampling/createMessage: User rejected sampling request',
    },
    except: {
      revisions: [newest],
      page: noErrorAnswers,
      sees: { caller: 'RpcError -1: User rejected sampling request' },
    },
  },
  {
    name: 'an input request that is answered too late',
    declare: asking(sample),
    server: { limits: { requestTotal: 5_000 } },
    client: { onSample: () => new Promise(() => undefined) },
    ms: 20_000,
    sees: {
      author:
        'SessionError timeout: sampling/createMessage did not finish within 5000 ms; allow it more with the option "limits.requestTotal".',
      caller:
        'isError: sampling/createMessage did not finish within 5000 ms; allow it more with the option "limits.requestTotal".',
    },
    except: {
      revisions: [newest],
      page: noErrorAnswers,
      // No request is in progress at the server: the call's own time limits apply to the client.
      sees: { caller: 'SessionError cancelled: tools/call t was cancelled by its caller.' },
    },
  },
];

function described(error: unknown): string {
  const { name, message, code, reason } = error as Error & { code?: number; reason?: string };
  const more = code ?? reason;
  return `${name}${more === undefined ? '' : ` ${more}`}: ${message}`;
}

const places = everyRevision.flatMap((revision) =>
  (['memory', 'stdio', 'http'] as const).map((transport) => ({ revision, transport })),
);

describe.each(failures)('$name', (failure) => {
  it.each(places)('has the same form in $revision over $transport', async (place) => {
    const { revision } = place;
    const inServer: string[] = [];
    const inClient: string[] = [];
    let author: string | undefined;
    const clock = new FakeClock();
    const server = createServer(info, {
      ...failure.server,
      clock,
      onError: (error) => inServer.push(described(error)),
    });
    const seen = (error: unknown) => {
      if (!isSuspension(error)) author = described(error);
    };
    let entered = false;
    failure.declare(server, seen, () => {
      entered = true;
    });
    const onError = (error: unknown) => inClient.push(described(error));
    await using made = await connectTest(server, { ...place, client: { ...failure.client, onError } });
    const isExcepted = failure.except?.revisions.includes(revision) === true;
    const stop = new AbortController();
    const call = made.client.request('tools/call', { name: 't', ...failure.params } as never, {
      signal: stop.signal,
    });
    const outcome = (call as Promise<{ isError?: boolean; content: readonly { text?: string }[] }>).then(
      ({ isError, content }) => `${isError === true ? 'isError' : 'result'}: ${content[0]?.text}`,
      described,
    );
    if (failure.ms !== undefined) {
      await expect
        .poll(() => entered || JSON.stringify(made.frames).includes('sampling/createMessage'))
        .toBe(true);
      await new Promise(setImmediate);
      await clock.advance(failure.ms);
      if (isExcepted) stop.abort();
    }
    const {
      caller,
      author: received,
      server: reported = [],
      client: clientReported = [],
    } = isExcepted && failure.except !== undefined ? failure.except.sees : failure.sees;
    expect(await outcome).toEqual(caller);
    expect({ author, inServer, inClient }).toEqual({
      author: received,
      inServer: reported,
      inClient: clientReported,
    });
  });
});
