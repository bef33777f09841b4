import { describeState } from '@tenon/mcp-testing/state';
import { PostgresServer } from '../test/postgres-server.js';
import { migrate, postgresState } from './index.js';

describeState('postgresState', async () => {
  const server = await PostgresServer.start();
  await migrate(server.url);
  await server.freezeClock();
  return {
    open: () => postgresState(server.url),
    advance: (ms) => server.advance(ms),
    interrupt: () => server.interrupt(),
    close: () => server.close(),
  };
});
