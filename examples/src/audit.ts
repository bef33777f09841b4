// A host that keeps an audit log of every tool call, and shows the input to its user before anything is sent.
import { ErrorCode, type Middleware, RemoteError, RpcError, redact } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { z } from 'zod';

const server = createServer({ name: 'mail', version: '1.0.0' })
  .tool('send', { input: z.object({ to: z.string(), password: z.string() }) }, ({ to }) => `Sent to ${to}`)
  .tool('count', {}, () => {
    throw new RpcError(ErrorCode.refused, 'The mailbox is locked');
  });

// #region audit
interface AuditEntry {
  readonly tool: unknown;
  /** As it was sent, without credentials. */
  readonly input: unknown;
  readonly ms: number;
  readonly outcome: string;
}
const entries: AuditEntry[] = []; // a file or a database in earnest

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

// The user sees the input as it is: what leaves by it is for them to notice. What a server says of its tools
// (`annotations`) is no ground to skip this, unless the server is trusted.
const confirm: Middleware = async (call, next) => {
  if (call.direction !== 'outbound' || call.method !== 'tools/call') return next();
  const { name, arguments: input } = call.params;
  if (await agrees(`Call ${name} with ${JSON.stringify(input ?? {})}?`)) return next();
  throw new RpcError(ErrorCode.userRejected, 'The user did not want this call');
};

const info = { name: 'mail-agent', version: '1.0.0' };
const client = await connectMemory(server, { info, middleware: [audit, confirm] });
// #endregion

/** Stands for a dialogue: this user says no to strangers. */
async function agrees(question: string): Promise<boolean> {
  console.log(question);
  return !question.includes('stranger');
}

await client.callTool('send', { to: 'ada@example.com', password: 'hunter2' });
await client.callTool('send', { to: 'stranger@example.com', password: 'hunter2' }).catch(() => undefined);
await client.callTool('count').catch(() => undefined);
await client.close();
for (const { tool, input, ms, outcome } of entries) {
  console.log(tool, JSON.stringify(input), outcome, ms < 10_000 ? 'in time' : 'slowly');
}
