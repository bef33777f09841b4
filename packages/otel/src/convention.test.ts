import { expect, it } from 'vitest';
import { type Read, startCollector } from '../test/collector.js';
import { connected, Telemetry } from '../test/telemetry.js';
import { convention, metric } from './convention.js';

const anyText = expect.any(String) as unknown;

/** The value of one row of the convention in the example calls: in a span of each end, and as a label of a metric. */
interface Fixture {
  /** The call with the attribute. */
  readonly of: string;
  readonly client?: unknown;
  readonly server?: unknown;
  readonly label: boolean;
  /** The name, if it is a prefix in the table. */
  readonly name?: string;
}

const price = 'tools/call price';
const both = (value: unknown, label: boolean, of = price): Fixture => ({
  of,
  client: value,
  server: value,
  label,
});

const fixtures: { readonly [Row in keyof typeof convention]: Fixture } = {
  method: both('tools/call', true),
  revision: both('2025-11-25', true),
  session: { of: price, server: anyText, label: false },
  resourceUri: both('shop://prices', false, 'resources/read'),
  requestId: { of: price, server: anyText, label: false },
  statusCode: both('-32602', true, 'tools/call nothing'),
  errorType: both('tool_error', true),
  operation: both('execute_tool', true),
  tool: both('price', true),
  prompt: both('letter', true, 'prompts/get letter'),
  toolArguments: both('{"article":"gold"}', false),
  toolResult: both(expect.stringContaining('There is no article gold'), false),
  promptVariable: { ...both('Ada', false, 'prompts/get letter'), name: 'gen_ai.prompt.variable.to' },
  transport: both('tcp', true),
  protocol: both('http', true),
  serverAddress: { of: price, client: '127.0.0.1', label: true },
  serverPort: { of: price, client: expect.any(Number), label: true },
  clientAddress: { of: price, server: '127.0.0.1', label: false },
};

it('a collector receives each row of the convention over OTLP, and no other attribute', async () => {
  const telemetry = new Telemetry();
  const { options, received } = await startCollector();
  const capture = { arguments: true, results: true, resourceUris: true, promptVariables: true };
  const { client, close } = await connected(telemetry, {
    revision: '2025-11-25',
    transport: 'http',
    options: { ...options, capture },
  });
  await client.callTool('price', { article: 'gold' });
  await client.callTool('nothing' as 'price', {} as never).catch(() => {});
  await client.getPrompt('letter', { to: 'Ada' });
  await client.readResource('shop://prices');
  await close();
  await new Promise((resolve) => setImmediate(resolve));
  const { spans, metrics, scopes } = await received();
  expect(scopes).toEqual(['@tenon/mcp-otel']);
  const attributesOf = (kind: string, of: string): Read =>
    spans.find((span) => span.kind === kind && span.name === of)?.attributes ?? {};
  const names = new Set<string>();
  for (const [row, { of, client: sent, server: handled, label, name }] of Object.entries(fixtures)) {
    const key = name ?? convention[row as keyof typeof convention];
    names.add(key);
    expect([key, attributesOf('CLIENT', of)[key], attributesOf('SERVER', of)[key]]).toEqual([
      key,
      sent,
      handled,
    ]);
    const isLabel = metrics.some(({ points }) => points.some(({ attributes }) => key in attributes));
    expect([key, isLabel]).toEqual([key, label]);
  }
  for (const { attributes } of spans)
    expect([...names]).toEqual(expect.arrayContaining(Object.keys(attributes)));
  expect(metrics.map(({ name, unit }) => [name, unit]).sort()).toEqual(
    Object.values(metric)
      .map((name) => [name, 's'])
      .sort(),
  );
  for (const { points } of metrics)
    for (const { explicitBounds } of points) expect(explicitBounds).toHaveLength(14);
  const [client1, server1] = ['CLIENT', 'SERVER'].map((kind) =>
    spans.find((span) => span.kind === kind && span.name === price),
  );
  expect(server1).toMatchObject({
    traceId: client1?.traceId,
    parentSpanId: client1?.spanId,
    status: { code: 2 },
  });
});

it('is a pipe over stdio', async () => {
  const telemetry = new Telemetry();
  const { client } = await connected(telemetry, { transport: 'stdio' });
  await client.callTool('price', { article: 'tea' });
  const calls = telemetry.spans.filter(({ name }) => name === price);
  expect(calls.map(({ attributes }) => attributes['network.transport'])).toEqual(['pipe', 'pipe']);
});
