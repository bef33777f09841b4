import { startRedis } from '../../../suite/services/redis-server.js';
import { describeTakeOver } from './take-over.js';

describeTakeOver('Redis', async () => {
  const redis = await startRedis();
  return {
    kind: 'Redis',
    url: redis.url,
    expire: async (taskId) => {
      const keys = (await redis.cli('keys', `*/${taskId}}:lease`)).split('\n');
      return Number(await redis.cli('del', ...keys));
    },
    close: () => redis.stop(),
  };
});
