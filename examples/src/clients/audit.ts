// A host that logs every tool call, and asks its user before a call is sent.
import { ErrorCode, type Middleware, RemoteError, RpcError, redact } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { z } from 'zod';

const server = createServer({ name: 'mail', version: '1.0.0' })
  .tool('send', { input: z.object({ to: z.string(), password: z.string() }) }, ({ to }) => `Sent to ${to}`)
  .tool('archive', {}, async (_input, ctx) => {
    const schema = z.object({ folder: z.string() });
    const answer = await ctx.elicit('folder', { message: 'Which folder?', schema });
    return answer.action === 'accept' ? `Archived to ${answer.content.folder}` : 'Nothing archived';
  })
  .tool('count', {}, () => {
    throw new RpcError(ErrorCode.refused, 'The mailbox is locked');
  });

// #region audit
interface AuditEntry {
  readonly tool: unknown;
  /** Without credentials. */
  readonly input: unknown;
  readonly ms: number;
  readonly outcome: string;
}
const entries: AuditEntry[] = []; // in a real program, a file or a database

const audit: Middleware = async (call, next) => {
  if (call.direction !== 'outbound' || call.method !== 'tools/call') return next();
  const { name: tool, arguments: input } = call.params;
  const started = performance.now();
  const note = (outcome: string) =>
    entries.push({ tool, input: redact(input), ms: performance.now() - started, outcome });
  try {
    const result = await next();
    note(result.isError === true ? 'failed' : 'done');
    return result;
  } catch (error) {
    const isRefusal = error instanceof RemoteError || error instanceof RpcError;
    note(isRefusal ? `refused with ${error.code}` : 'lost');
    throw error;
  }
};

// The user sees the whole input. Do not skip this because of a tool's `annotations`, unless you trust the server.
const confirm: Middleware = async (call, next) => {
  if (call.direction !== 'outbound' || call.method !== 'tools/call') return next();
  const { name, arguments: input } = call.params;
  if (await agrees(`Call ${name} with ${JSON.stringify(input ?? {})}?`)) return next();
  throw new RpcError(ErrorCode.userRejected, 'The user rejected this call');
};

const client = await connectMemory(server, {
  info: { name: 'mail-agent', version: '1.0.0' },
  revision: process.argv[2] ?? '2026-07-28', // or '2025-11-25', with the same output
  middleware: [audit, confirm],
  onElicit: ({ message }) => {
    console.log(message);
    return { action: 'accept', content: { folder: '2026' } };
  },
});
// #endregion

/** In a real program, a dialogue. This user rejects calls that name a stranger. */
async function agrees(question: string): Promise<boolean> {
  console.log(question);
  return !question.includes('stranger');
}

await client.callTool('send', { to: 'ada@example.com', password: 'hunter2' });
await client.callTool('send', { to: 'stranger@example.com', password: 'hunter2' }).catch(() => undefined);
await client.callTool('archive');
await client.callTool('count').catch(() => undefined);
await client.close();
for (const { tool, input, ms, outcome } of entries) {
  console.log(tool, JSON.stringify(input), outcome, ms < 10_000 ? 'in time' : 'slowly');
}
