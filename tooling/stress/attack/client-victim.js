// The attacked client, as a program: it lists the tools of a server, and prints the error.
import process from 'node:process';
import { connect, SessionError } from '@tenon/mcp-client';
import { httpTarget } from '@tenon/mcp-client/http';

const info = { name: 'victim', version: '1.0.0' };
const client = await connect(httpTarget(process.argv[2] ?? ''), { info, revision: '2025-11-25' });
try {
  const tools = await client.tools().all();
  console.log(`${tools.length} tools`);
} catch (error) {
  const reason = error instanceof SessionError ? ` ${error.reason}` : '';
  console.log(error instanceof Error ? `${error.name}${reason}: ${error.message}` : String(error));
} finally {
  await client.close();
}
