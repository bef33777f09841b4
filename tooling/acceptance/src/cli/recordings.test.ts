import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, type CommandTarget, connect } from '@tenon/mcp-client';
import { everyRevision } from '@tenon/mcp-testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

const file = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const program = file('packages/cli/dist/main.js');
const server = ['--', process.execPath, file('apps/everything-server/dist/main.js'), '--stdio'];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'recordings-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const tenon = (...args: string[]): CommandTarget => ({
  command: process.execPath,
  args: [program, ...args],
  stderr: 'pipe',
});

const info = { name: 'recorder', version: '1.0.0' };
const onElicit = async () => ({ action: 'accept' as const, content: { response: 'yes' } });

async function story(client: Client): Promise<unknown[]> {
  const heard: unknown[] = [];
  const tools = await client.tools().all();
  const text = await client.callTool('test_simple_text', {});
  const progress = { onProgress: (reported: { progress: number }) => heard.push(reported.progress) };
  const slow = await client.callTool('test_tool_with_progress', {}, progress);
  await client.close();
  return [tools.length, text.content, slow.content, ...heard];
}

test.each(everyRevision)(
  'a session of %s over stdio is recorded by a proxy, and replayed both ways',
  async (revision) => {
    const recording = join(folder, `${revision}.md`);
    const recorder = tenon('record', recording, ...server);
    const heard = await story(await connect(recorder, { info, onElicit, revision }));
    expect(heard.length).toBeGreaterThan(3);
    expect(readFileSync(recording, 'utf8')).toContain('→ (closes)');
    const player = tenon('replay', recording, '--stdio');
    expect(await story(await connect(player, { info, onElicit, revision }))).toEqual(heard);
    const { code, stderr, stdout } = await ended(['replay', recording, ...server]);
    expect({ code, stderr, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok /) });
  },
);

async function ended(args: readonly string[]) {
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = [child.stdout, child.stderr].map((stream) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    return () => Buffer.concat(chunks).toString();
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout: texts[0]?.(), stderr: texts[1]?.() };
}
