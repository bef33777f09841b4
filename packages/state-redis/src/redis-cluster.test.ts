import { describeState, type StateBackend } from '@tenon/mcp-testing/state';
import { startRedisCluster } from '../../../tooling/suite/services/redis-server.js';
import { unlimited } from '../test/observed.js';
import { redisState } from './redis-state.js';

async function backend(): Promise<StateBackend> {
  const nodes = await startRedisCluster();
  return {
    open: () => redisState({ cluster: nodes.slice(0, 2).map(({ url }) => url), ...unlimited }),
    interrupt: async () => {
      for (const node of nodes)
        for (const type of ['normal', 'pubsub']) await node.cli('client', 'kill', 'type', type);
    },
    close: async () => {
      for (const node of nodes) await node.stop();
    },
  };
}

describeState('redisState with a cluster', backend);
