import { SpanKind } from '@opentelemetry/api';
import { revisions } from '@tenon/mcp-protocol';
import { everyRevision } from '@tenon/mcp-testing';
import { describe, expect, it } from 'vitest';
import { connected, isFailed, linksOf, Telemetry } from '../test/telemetry.js';

const { CLIENT, SERVER, INTERNAL } = SpanKind;
const stateless = revisions.filter(({ lifecycle }) => lifecycle === 'stateless').map(({ id }) => id);
const sessions = everyRevision.filter((id) => !stateless.includes(id));

describe.each(everyRevision)('spans in %s', (revision) => {
  it('are one of each end for a tool call, in one trace', async () => {
    const telemetry = new Telemetry();
    const { client, frames } = await connected(telemetry, { revision });
    const tracer = telemetry.tracers.getTracer('test');
    await tracer.startActiveSpan('answer the user', async (span) => {
      await client.callTool('price', { article: 'tea' });
      span.end();
    });
    const outer = telemetry.span(INTERNAL, 'answer the user');
    const sent = telemetry.span(CLIENT, 'tools/call price');
    const handled = telemetry.span(SERVER, 'tools/call price');
    const attributes = {
      'mcp.method.name': 'tools/call',
      'mcp.protocol.version': revision,
      'gen_ai.tool.name': 'price',
      'gen_ai.operation.name': 'execute_tool',
    };
    expect(sent.attributes).toEqual(attributes);
    expect(handled.attributes).toMatchObject({ ...attributes, 'jsonrpc.request.id': expect.any(String) });
    expect(sent.parentSpanContext?.spanId).toBe(outer.spanContext().spanId);
    expect(handled.parentSpanContext).toMatchObject({
      spanId: sent.spanContext().spanId,
      traceId: outer.spanContext().traceId,
      isRemote: true,
    });
    expect([isFailed(sent), isFailed(handled)]).toEqual([false, false]);
    const { traceId, spanId } = sent.spanContext();
    expect(JSON.stringify(frames)).toContain(`00-${traceId}-${spanId}-01`);
    expect(JSON.stringify(frames)).not.toContain('dev.tenon/opentelemetry');
  });

  it('have the session only in revisions with sessions', async () => {
    const telemetry = new Telemetry();
    const { client } = await connected(telemetry, { revision, transport: 'http' });
    await client.callTool('price', { article: 'tea' });
    const { attributes } = telemetry.span(SERVER, 'tools/call price');
    expect('mcp.session.id' in attributes).toBe(sessions.includes(revision));
    const opening = stateless.includes(revision) ? 'server/discover' : 'initialize';
    expect(telemetry.span(SERVER, opening).parentSpanContext?.spanId).toBe(
      telemetry.span(CLIENT, opening).spanContext().spanId,
    );
  });
});

describe('the status of spans', () => {
  it.each([
    {
      of: 'an error result',
      name: 'price',
      args: { article: 'gold' },
      client: 'tool_error',
      server: 'tool_error',
    },
    {
      of: 'a bug in a tool',
      name: 'price',
      args: { article: 'bug' },
      client: 'tool_error',
      server: 'tool_error',
    },
    { of: 'an unknown tool', name: 'nothing', args: {}, client: '-32602', server: undefined },
  ])('is that of the convention for $of', async ({ name, args, ...expected }) => {
    const telemetry = new Telemetry();
    const { client } = await connected(telemetry);
    await (client.callTool as (name: string, args: object) => Promise<unknown>)(name, args).catch(() => {});
    const sent = telemetry.span(CLIENT, `tools/call ${name}`);
    const handled = telemetry.span(SERVER, `tools/call ${name}`);
    expect(sent.attributes['error.type']).toBe(expected.client);
    expect(handled.attributes['error.type']).toBe(expected.server);
    expect([isFailed(sent), isFailed(handled)]).toEqual([true, expected.server !== undefined]);
    expect(JSON.stringify([sent.status, sent.attributes, handled.status, handled.attributes])).not.toContain(
      'hunter2',
    );
    if (name === 'nothing') {
      expect(sent.attributes['rpc.response.status_code']).toBe('-32602');
      expect(handled.attributes['rpc.response.status_code']).toBe('-32602');
      expect(sent.status.message).toContain('nothing');
    }
  });

  it('is an error for a call that its caller cancelled', async () => {
    const telemetry = new Telemetry();
    const stop = new AbortController();
    const { client } = await connected(telemetry, {
      client: {
        onElicit: () => {
          stop.abort();
          return new Promise(() => {});
        },
      },
    });
    await client.callTool('asks', {}, { signal: stop.signal }).catch(() => {});
    const sent = telemetry.span(CLIENT, 'tools/call asks');
    expect(sent.attributes['error.type']).toBe('cancelled');
    expect(isFailed(sent)).toBe(true);
  });
});

describe('the rounds of a call', () => {
  it.each(stateless)('are linked to the first one, in the trace of the client, in %s', async (revision) => {
    const telemetry = new Telemetry();
    const { client } = await connected(telemetry, { revision });
    await client.callTool('asks');
    const rounds = telemetry.spans.filter((span) => span.kind === SERVER && span.name === 'tools/call asks');
    const [first, second] = rounds;
    const sent = telemetry.span(CLIENT, 'tools/call asks');
    expect(first?.attributes['dev.tenon.mcp.result.type']).toBe('input_required');
    expect(first && isFailed(first)).toBe(false);
    expect(second && linksOf(second)).toEqual([['first_round', first?.spanContext().spanId]]);
    for (const round of rounds) expect(round.parentSpanContext?.spanId).toBe(sent.spanContext().spanId);
    expect(telemetry.span(INTERNAL, 'elicitation/create').parentSpanContext?.spanId).toBe(
      sent.spanContext().spanId,
    );
  });

  it.each(stateless)('are linked also for a client without traces in %s', async (revision) => {
    const telemetry = new Telemetry();
    const { client } = await connected(telemetry, { revision, client: { extensions: [] } });
    await client.callTool('asks');
    const [first, second] = telemetry.spans.filter(({ name }) => name === 'tools/call asks');
    expect(second && linksOf(second)).toEqual([['first_round', first?.spanContext().spanId]]);
    expect(second?.spanContext().traceId).not.toBe(first?.spanContext().traceId);
  });

  it.each(sessions.slice(0, 1))('are requests of the server in its call in %s', async (revision) => {
    const telemetry = new Telemetry();
    const { client } = await connected(telemetry, { revision });
    await client.callTool('asks');
    const handled = telemetry.span(SERVER, 'tools/call asks');
    const asked = telemetry.span(CLIENT, 'elicitation/create');
    expect(asked.parentSpanContext?.spanId).toBe(handled.spanContext().spanId);
    expect(telemetry.span(SERVER, 'elicitation/create').parentSpanContext?.spanId).toBe(
      asked.spanContext().spanId,
    );
  });
});

describe('a listen stream', () => {
  it.each(stateless)(
    'has a span that ends with the stream, and no time of an operation, in %s',
    async (revision) => {
      const telemetry = new Telemetry();
      const { client } = await connected(telemetry, { revision });
      const watch = await client.watch({ tools: true }, () => {});
      const streams = () => telemetry.spans.filter(({ name }) => name === 'subscriptions/listen');
      expect(streams()).toEqual([]);
      await watch.close();
      await client.close();
      expect(
        streams()
          .map(({ kind }) => kind)
          .sort(),
      ).toEqual([SERVER, CLIENT].sort());
      const points = [...(await telemetry.histograms()).values()].flat();
      expect(points.map(({ attributes }) => attributes['mcp.method.name'])).not.toContain(
        'subscriptions/listen',
      );
    },
  );
});

describe('otel({ withoutSpans, joinExecuteTool })', () => {
  it('leaves out the spans of some methods, and passes the context on', async () => {
    const telemetry = new Telemetry();
    const { client, frames } = await connected(telemetry, { options: { withoutSpans: ['prompts/get'] } });
    await telemetry.tracers.getTracer('test').startActiveSpan('outer', async (span) => {
      await client.getPrompt('letter', { to: 'Ada' });
      span.end();
    });
    expect(telemetry.spans.map(({ name }) => name)).not.toContain('prompts/get letter');
    expect(JSON.stringify(frames)).toContain(telemetry.span(INTERNAL, 'outer').spanContext().spanId);
    const [measured] =
      (await telemetry.histograms())
        .get('mcp.server.operation.duration')
        ?.filter(({ attributes }) => attributes['mcp.method.name'] === 'prompts/get') ?? [];
    expect(measured?.count).toBe(1);
  });

  it('adds the attributes to an execute_tool span in place of a span of its own', async () => {
    const telemetry = new Telemetry();
    const { client } = await connected(telemetry, { options: { joinExecuteTool: true } });
    const attributes = { 'gen_ai.operation.name': 'execute_tool' };
    await telemetry.tracers
      .getTracer('test')
      .startActiveSpan('execute_tool price', { attributes }, async (span) => {
        await client.callTool('price', { article: 'gold' });
        expect(span.isRecording()).toBe(true);
        span.end();
      });
    const outer = telemetry.span(INTERNAL, 'execute_tool price');
    expect(outer.attributes).toMatchObject({ 'mcp.method.name': 'tools/call', 'error.type': 'tool_error' });
    expect(
      telemetry.spans.filter(({ kind, name }) => kind === CLIENT && name === 'tools/call price'),
    ).toEqual([]);
    expect(telemetry.span(SERVER, 'tools/call price').parentSpanContext?.spanId).toBe(
      outer.spanContext().spanId,
    );
  });
});
