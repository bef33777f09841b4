import { describeState, type StateBackend } from '@tenon/mcp-testing/state';
import { startRedis } from '../../../tooling/suite/services/redis-server.js';
import { unlimited } from '../test/observed.js';
import { redisState } from './redis-state.js';

async function backend(): Promise<StateBackend> {
  const server = await startRedis();
  return {
    open: () => redisState({ url: server.url, ...unlimited }),
    interrupt: async () => {
      await server.cli('client', 'kill', 'type', 'normal');
      await server.cli('client', 'kill', 'type', 'pubsub');
    },
    close: () => server.stop(),
  };
}

describeState('redisState with one server', backend);
