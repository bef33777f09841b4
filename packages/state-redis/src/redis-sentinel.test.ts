import { describeState, type StateBackend } from '@tenon/mcp-testing/state';
import { startRedisSentinel } from '../../../tooling/suite/services/redis-server.js';
import { unlimited } from '../test/observed.js';
import { redisState } from './redis-state.js';

async function backend(): Promise<StateBackend> {
  const { master, replica, sentinel } = await startRedisSentinel('main');
  return {
    open: () =>
      redisState({
        sentinel: { name: 'main', nodes: [{ host: '127.0.0.1', port: sentinel.port }] },
        ...unlimited,
      }),
    interrupt: async () => {
      for (const type of ['normal', 'pubsub']) await master.cli('client', 'kill', 'type', type);
    },
    close: async () => {
      for (const server of [sentinel, replica, master]) await server.stop();
    },
  };
}

describeState('redisState with Sentinel', backend);
