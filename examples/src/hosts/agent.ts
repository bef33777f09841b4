import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline/promises';
import { desktopAuth } from '@tenon/mcp-auth/desktop';
import { createHost, printableText, rules } from '@tenon/mcp-host';
import { anthropicModel, converse, type ModelMessage, openAiModel } from '@tenon/mcp-host/models';
import { auditFile, fileGrants } from '@tenon/mcp-host/node';

const { env, execPath } = process;
const terminal = createInterface({ input: stdin, output: stdout });
// Texts of servers must not control the terminal.
const ask = (text: string) => terminal.question(printableText(text));
const model = env.ANTHROPIC_API_KEY
  ? anthropicModel({ model: 'claude-sonnet-4-5', key: env.ANTHROPIC_API_KEY })
  : openAiModel({ model: 'gpt-5', key: env.OPENAI_API_KEY, baseUrl: env.OPENAI_BASE_URL });

const host = createHost({
  info: { name: 'agent', version: '1.0.0' },
  servers: {
    greeter: { command: execPath, args: [env.GREETER ?? 'server.js'] },
    tickets: { target: 'https://tickets.example/mcp', auth: desktopAuth({ name: 'Agent' }) },
    bookings: 'http://127.0.0.1:3000/mcp',
  },
  policy: rules([{ server: 'greeter', name: 'greet', decision: 'allow' }]),
  consent: async ({ request }) => {
    const input = request.kind === 'tool' ? JSON.stringify(request.args) : '';
    const answer = await ask(`${request.server}: ${request.kind} ${request.name} ${input} (y/n) `);
    return answer === 'y' ? 'run' : 'no';
  },
  onElicit: async ({ message }, { server }) => {
    await ask(`${server} asks: ${message} (Enter declines) `);
    return { action: 'decline' };
  },
  grants: fileGrants(env.GRANTS ?? 'grants.json'),
  audit: auditFile(env.AUDIT ?? 'audit.jsonl'),
});

let messages: readonly ModelMessage[] = [];
for await (const text of terminal) {
  messages = [...messages, { role: 'user', content: [{ type: 'text', text }] }];
  const tools = () => host.modelTools();
  const reply = await converse({ model, messages, tools, run: (calls, turn) => host.run(calls, turn) });
  messages = reply.messages;
  console.log(reply.text);
}
await host.close();
