// A session is recorded to a file, then replayed to a client and to a server.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@tenon/mcp-client';
import { memoryTarget } from '@tenon/mcp-client/memory';
import { record, replay } from '@tenon/mcp-testing/recordings';
import '@tenon/mcp-testing/vitest';
import { afterAll, expect, test } from 'vitest';
import { weatherServer } from './weather-server.js';

const folder = await mkdtemp(join(tmpdir(), 'recordings-')); // in a project, a folder beside the tests
afterAll(() => rm(folder, { recursive: true }));
const file = join(folder, 'forecast.md');
const info = { name: 'test', version: '1.0.0' };

test('records a session, and replays it to a client and to a server', async () => {
  // #region record
  const target = record(memoryTarget(weatherServer()), file);
  const client = await connect(target, { info });
  await client.callTool('forecast', { city: 'Oslo' });
  await client.close();
  // #endregion

  // #region replay-server
  const session = replay(file);
  const offline = await connect(session.target, { info }); // without the server
  expect(await offline.callTool('forecast', { city: 'Oslo' })).toHaveStructuredContent({
    unit: 'C',
    high: 21,
  });
  await offline.close();
  session.verify(); // rejects if a recorded message did not come
  // #endregion

  // #region replay-client
  await replay(file).check(weatherServer()); // rejects with the line and the difference
  // #endregion
});
