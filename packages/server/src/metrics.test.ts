import { readFileSync } from 'node:fs';
import { serverPort } from '@tenon/mcp-protocol';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { latestHandshake, latestStateless, WirePeer } from '../test/wire-peer.js';
import { serveMetrics } from './metrics.js';
import { createServer } from './server.js';

async function served(options: Parameters<typeof serveMetrics>[1] = {}) {
  const server = createServer({ name: 'test', version: '1' }, { onError: () => {} })
    .tool('plain', { input: z.object({ user: z.string().optional() }) }, () => 'done')
    .tool('fails', {}, () => {
      throw new Error('no');
    });
  const metrics = await serveMetrics(server, { port: 0, ...options });
  onTestFinished(() => metrics.close());
  const text = async () => (await fetch(metrics.url)).text();
  return { server, metrics, text };
}

test('requests are counted by method, name and outcome, and timed', async () => {
  const { server, text } = await served();
  const peer = await WirePeer.open(server, latestStateless);
  for (let call = 0; call < 3; call++) await peer.request('tools/call', { name: 'plain' });
  await peer.request('tools/call', { name: 'fails' });
  const page = await text();
  expect(page).toContain(
    'tenon_requests_total{method="tools/call",name="plain",outcome="ok",code="",transport="memory"} 3\n',
  );
  expect(page).toContain(
    'tenon_requests_total{method="tools/call",name="fails",outcome="tool_error",code="",transport="memory"} 1\n',
  );
  expect(page).toContain('tenon_request_duration_seconds_count{method="tools/call",name="plain"} 3\n');
  expect(page).toContain(
    'tenon_request_duration_seconds_bucket{method="tools/call",name="plain",le="+Inf"} 3\n',
  );
  expect(page).toContain('tenon_failures_total 1\n');
});

test('names that do not exist have no label of their own, and no id, address or argument is a label', async () => {
  const { server, text } = await served();
  const peer = await WirePeer.open(server, latestHandshake);
  for (const name of ['a1', 'b2', 'c"3']) await peer.request('tools/call', { name });
  await peer.request('no/such', {});
  await peer.request('tools/call', { name: 'plain', arguments: { user: 'ada' } });
  const page = await text();
  expect(page).toContain(
    '{method="tools/call",name="other",outcome="error",code="-32602",transport="memory"} 3\n',
  );
  expect(page).toContain('{method="other",name="",outcome="error",code="-32601",transport="memory"} 1\n');
  expect(page).not.toMatch(/a1|b2|no\/such|ada|peer/);
  const labels = new Set([...page.matchAll(/[{,](\w+)="/g)].map(([, label]) => label));
  expect([...labels].sort()).toEqual(['change', 'code', 'le', 'method', 'name', 'outcome', 'transport']);
});

test('sessions are counted while they are open', async () => {
  const { server, text } = await served();
  const peer = await WirePeer.open(server, latestHandshake);
  await WirePeer.open(server, latestHandshake);
  expect(await text()).toContain('tenon_sessions 2\n');
  await peer.close();
  const page = await text();
  expect(page).toContain('tenon_sessions 1\n');
  expect(page).toContain('tenon_session_changes_total{change="ended"} 1\n');
});

test('every line is one of the text format of Prometheus', async () => {
  const { server, text } = await served();
  const peer = await WirePeer.open(server, latestHandshake);
  await peer.request('tools/call', { name: 'plain' });
  const lines = (await text()).trimEnd().split('\n');
  const sample = /^[a-z_]\w*(?:\{\w+="(?:[^"\\\n]|\\.)*"(?:,\w+="(?:[^"\\\n]|\\.)*")*\})? [\d.e+-]+$/;
  for (const line of lines) expect(line).toMatch(line.startsWith('#') ? /^# (?:HELP|TYPE) \w+ \S/ : sample);
});

test.each([
  ['without a token', {}, 401],
  ['with another token', { authorization: 'Bearer secret1' }, 401],
  ['with the token', { authorization: 'Bearer secret' }, 200],
])('a reader %s', async (_, headers, status) => {
  const { metrics } = await served({ token: 'secret' });
  expect((await fetch(metrics.url, { headers })).status).toBe(status);
});

test('a host that others can reach needs a token', async () => {
  const server = createServer({ name: 'test', version: '1' });
  await expect(serveMetrics(server, { port: 0, host: '0.0.0.0' })).rejects.toThrow('Give a token');
});

test('another path is not found, and another method is not allowed', async () => {
  const { metrics } = await served();
  expect((await fetch(metrics.url.replace('/metrics', '/'))).status).toBe(404);
  expect((await fetch(metrics.url, { method: 'POST' })).status).toBe(405);
});

test('each number of the dashboard is one that the server serves, and each has a place in it', async () => {
  const { server, text } = await served();
  const peer = await WirePeer.open(server, latestHandshake);
  await peer.request('tools/call', { name: 'plain' });
  const page = await text();
  const path = new URL('../../../docs/guide/http/grafana.json', import.meta.url);
  const { panels } = JSON.parse(readFileSync(path, 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
  };
  const texts = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const names = new Set(texts.flatMap((expr) => expr.match(/\b(?:tenon|nodejs|process)_\w+/g) ?? []));
  const known = new Set([...page.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  for (const name of names) expect(known).toContain(name.replace(/_bucket$/, ''));
  for (const name of known) expect([...names, 'tenon_events_dropped_total'].join(' ')).toContain(name);
});

test('a port that is taken is an error, and then nothing is counted', async () => {
  const { metrics } = await served();
  const server = createServer({ name: 'test', version: '1' });
  const port = Number(new URL(metrics.url).port);
  await expect(serveMetrics(server, { port })).rejects.toThrow('EADDRINUSE');
  expect(server[serverPort].events.active).toBe(false);
});
