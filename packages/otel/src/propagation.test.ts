import { propagation, context, SpanKind } from '@opentelemetry/api';
import { revisions } from '@tenon/mcp-protocol';
import type { Middleware } from '@tenon/mcp-server';
import { defineExtension } from '@tenon/mcp-server/extension';
import { connectTest, everyRevision } from '@tenon/mcp-testing';
import { describe, expect, it } from 'vitest';
import { connected, exampleServer, linksOf, Telemetry } from '../test/telemetry.js';
import { otel as clientOtel } from './client.js';
import type { OtelOptions } from './options.js';
import { otel as serverOtel } from './server.js';

const remote = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const traceparent = `00-${remote.traceId}-${remote.spanId}-01`;

/** The revisions in which a server sends elicitation requests. */
const askingRevisions = new Set(
  revisions.filter(({ requests }) => requests.server.has('elicitation/create')).map(({ id }) => id),
);

/** A server with the extension, and a client without: its `_meta` is what a test says. */
function alone(telemetry: Telemetry, options: OtelOptions = {}, revision?: string) {
  return connected(telemetry, { options, client: { extensions: [] }, ...(revision && { revision }) });
}

describe.each(everyRevision)('the context in _meta in %s', (revision) => {
  it('is the parent of the span of the server, with its state', async () => {
    const telemetry = new Telemetry();
    const { client } = await alone(telemetry, {}, revision);
    await client.callTool('price', { article: 'tea' }, { meta: { traceparent, tracestate: 'vendor=1' } });
    const { parentSpanContext, links } = telemetry.span(SpanKind.SERVER, 'tools/call price');
    expect(parentSpanContext).toMatchObject({ ...remote, isRemote: true });
    expect(parentSpanContext?.traceState?.serialize()).toBe('vendor=1');
    expect(links).toEqual([]);
  });

  it('passes on without spans in the mode propagation', async () => {
    const telemetry = new Telemetry();
    const { client, frames } = await connected(telemetry, { options: { mode: 'propagation' }, revision });
    const isAsked = askingRevisions.has(revision);
    const tracer = telemetry.tracers.getTracer('test');
    await tracer.startActiveSpan('outer', async (span) => {
      await client.callTool('price', { article: 'tea' });
      if (isAsked) await client.callTool('asks');
      span.end();
    });
    expect(telemetry.spans.map(({ name }) => name)).toEqual(['outer']);
    const { traceId, spanId } = telemetry.span(SpanKind.INTERNAL, 'outer').spanContext();
    const sent = frames.map(({ message }) => JSON.stringify(message));
    expect(sent.some((text) => text.includes(`00-${traceId}-${spanId}-01`))).toBe(true);
    // The server's requests belong to the trace of the call that they are sent for.
    const asked = sent.filter((text) => text.includes('"elicitation/create","params"'));
    expect(asked).toHaveLength(isAsked ? 1 : 0);
    for (const text of asked) expect(text).toContain(spanId);
    expect(await telemetry.histograms()).toEqual(new Map());
  });
});

describe('the parent of a span', () => {
  it.each([
    ['no version', traceparent.slice(3)],
    ['the version ff', traceparent.replace('00-', 'ff-')],
    ['zeros', '00-00000000000000000000000000000000-0000000000000000-01'],
    ['upper case', traceparent.toUpperCase()],
    ['a number', 7],
  ])('is not a traceparent with %s', async (_, malformed) => {
    const telemetry = new Telemetry();
    const { client } = await alone(telemetry);
    await client.callTool('price', { article: 'tea' }, { meta: { traceparent: malformed } });
    expect(telemetry.span(SpanKind.SERVER, 'tools/call price').parentSpanContext).toBeUndefined();
  });

  /** Runs requests in a span, as the instrumentation of an HTTP server does. */
  const inHttpSpan =
    (telemetry: Telemetry): Middleware =>
    (call, next) =>
      telemetry.tracers
        .getTracer('http')
        .startActiveSpan(`POST ${call.method}`, { root: true }, (span) => next().finally(() => span.end()));

  it('is that of _meta, and a link leads to the span of the HTTP request', async () => {
    const telemetry = new Telemetry();
    const options = telemetry.options();
    const outer = { id: 'com.example/http', settings: () => undefined, middleware: inHttpSpan(telemetry) };
    const server = [defineExtension(outer), serverOtel(options)];
    const { client } = await connected(telemetry, { server, client: { extensions: [] } });
    await client.callTool('price', { article: 'tea' }, { meta: { traceparent } });
    const http = telemetry.span(SpanKind.INTERNAL, 'POST tools/call').spanContext();
    const handled = telemetry.span(SpanKind.SERVER, 'tools/call price');
    expect(handled.parentSpanContext?.spanId).toBe(remote.spanId);
    expect(linksOf(handled)).toEqual([['ambient', http.spanId]]);
    await client.callTool('price', { article: 'tea' });
    const untraced = telemetry.span(SpanKind.SERVER, 'tools/call price');
    expect(untraced.parentSpanContext?.spanId).toBe(
      telemetry.span(SpanKind.INTERNAL, 'POST tools/call').spanContext().spanId,
    );
    expect(linksOf(untraced)).toEqual([]);
  });
});

describe.each([false, true])('baggage with the option baggage: %s', (baggage) => {
  const ours = propagation.createBaggage({ 'user.id': { value: 'ada lovelace' } });

  it('is sent only with the option', async () => {
    const telemetry = new Telemetry();
    const { client, frames } = await connected(telemetry, { options: { baggage } });
    await context.with(propagation.setBaggage(context.active(), ours), () =>
      client.callTool('price', { article: 'tea' }),
    );
    expect(JSON.stringify(frames).includes('"baggage":"user.id=ada%20lovelace"')).toBe(baggage);
  });

  it('of a client is read only with the option, without malformed members', async () => {
    const telemetry = new Telemetry();
    let received: unknown;
    const server = exampleServer([serverOtel(telemetry.options({ baggage }))]).tool('reads', {}, () => {
      received = propagation.getActiveBaggage()?.getAllEntries();
      return '';
    });
    await using connection = await connectTest(server);
    const text = 'user.id=eve%20x;secret, malformed, broken=%E0%A4%A';
    await connection.client.callTool('reads', undefined, { meta: { traceparent, baggage: text } });
    expect(received).toEqual(baggage ? [['user.id', { value: 'eve x' }]] : undefined);
  });
});

describe('otel({ mode: "off" })', () => {
  it('does nothing at either end', async () => {
    const telemetry = new Telemetry();
    const { client, frames } = await connected(telemetry, { options: { mode: 'off' } });
    await telemetry.tracers.getTracer('test').startActiveSpan('outer', async (span) => {
      await client.callTool('price', { article: 'tea' });
      span.end();
    });
    expect(telemetry.spans.map(({ name }) => name)).toEqual(['outer']);
    expect(JSON.stringify(frames)).not.toContain('"traceparent"');
  });
});

describe('options of otel', () => {
  it.each([
    [{ mode: 'on' }, 'mode'],
    [{ spans: true }, 'spans'],
    [{ capture: { argument: true } }, 'argument'],
    [{ withoutSpans: 'ping' }, 'withoutSpans'],
  ])('%o is a TypeError at both ends', (options, name) => {
    for (const otel of [serverOtel, clientOtel])
      expect(() => otel(options as OtelOptions)).toThrow(
        expect.objectContaining({ message: expect.stringContaining(name) }),
      );
  });
});
