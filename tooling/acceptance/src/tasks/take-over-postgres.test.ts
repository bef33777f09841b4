import { PostgresProcess } from '../../../suite/services/postgres-server.js';
import { describeTakeOver } from './take-over.js';

describeTakeOver('PostgreSQL', async () => {
  const postgres = new PostgresProcess();
  await postgres.create();
  const expired = (taskId: string) =>
    `UPDATE tenon.lease SET expires_at = to_timestamp(0) WHERE name LIKE '%/${taskId}' RETURNING name`;
  return {
    kind: 'PostgreSQL',
    url: postgres.url,
    expire: async (taskId) => (await postgres.query(expired(taskId))).length,
    close: () => postgres.close(),
  };
});
