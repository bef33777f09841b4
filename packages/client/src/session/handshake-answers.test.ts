import { revisions } from '@tenon/mcp-protocol';
import { expect, it } from 'vitest';
import { linked } from '../../test/linked.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';

const handshakes = revisions.filter(({ lifecycle }) => lifecycle === 'handshake');

it.each(handshakes)('in $id an answer asks for nothing, whatever else it says', async (revision) => {
  const requestingInput = {
    resultType: 'input_required',
    inputRequests: { a: { method: 'elicitation/create', params: { message: 'Who?' } } },
    requestState: 's',
    content: [],
  };
  const server = new ScriptedServer(serverScript(revision, { 'tools/call': () => requestingInput }));
  const onElicit = () => expect.unreachable();
  const client = await linked(server, { onElicit });
  expect(await client.callTool('t')).toMatchObject({ content: [], isError: false });
  expect(server.peer.paramsOf('tools/call')).toHaveLength(1);
});
