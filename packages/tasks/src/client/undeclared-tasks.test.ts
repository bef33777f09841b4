import { connect } from '@tenon/mcp-client';
import { memoryTarget } from '@tenon/mcp-client/memory';
import { expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { ScriptedServer } from '../../test/scripted-peer.js';
import { core } from '../../test/scripted-tasks.js';

it('a client without the extension ignores the task of an input request', async () => {
  shows('2025-11-25-tasks/tasks/undeclared-ignored');
  const serverInfo = { name: 'scripted', version: '1' };
  const server = new ScriptedServer({
    initialize: () => ({ protocolVersion: core.revision.id, capabilities: {}, serverInfo }),
  });
  const client = await connect(memoryTarget(server), {
    info: { name: 'client', version: '1' },
    onElicit: () => ({ action: 'decline' }),
  });
  const requestedSchema = { type: 'object', properties: {} };
  const params = { message: 'Which?', requestedSchema, task: { ttl: 5_000 } };
  expect((await server.peer.ask('elicitation/create', params)).result).toEqual({ action: 'decline' });
  await client.close();
});
