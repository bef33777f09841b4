import type { Scenario } from './scenario.js';

/** Input requests in results, answered by repeating the call. */
export const roundScenarios: Record<string, Scenario> = {
  'sep-2322-client-request-state': {
    options: { onElicit: () => ({ action: 'accept', content: { confirmed: true } }) },
    async run(client) {
      await client.tools().all();
      // All at once, so that the rounds of different calls overlap.
      await Promise.all([
        client.callTool('test_mrtr_echo_state'),
        client.callTool('test_mrtr_no_state'),
        client.callTool('test_mrtr_unrelated'),
      ]);
      await client.callTool('test_mrtr_no_result_type');
    },
  },
};
