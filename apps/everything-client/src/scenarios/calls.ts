import type { Scenario } from './scenario.js';

/** Lists the tools, if the server has any: a scenario may check no more. */
export const listing: Scenario['run'] = async (client) => {
  if (client.capabilities.tools !== undefined) await client.tools().all();
};

/** Connecting, listing and calling. */
export const callScenarios: Record<string, Scenario> = {
  initialize: { run: listing },

  tools_call: {
    async run(client) {
      await client.tools().all();
      await client.callTool('add_numbers', { a: 5, b: 3 });
    },
  },

  'elicitation-sep1034-client-defaults': {
    // Omitted fields get the defaults of the form.
    options: { onElicit: () => ({ action: 'accept', content: {} }) },
    async run(client) {
      await client.tools().all();
      await client.callTool('test_client_elicitation_defaults');
    },
  },

  'json-schema-ref-no-deref': { negotiates: true, run: listing },

  'json-schema-2020-12-preservation': {
    async run(client) {
      const tools = await client.tools().all();
      const tool = tools.find(({ name }) => name === 'json_schema_2020_12_tool');
      if (tool === undefined) throw new Error('json_schema_2020_12_tool is not listed');
      await client.callTool('json_schema_echo', { schema: tool.inputSchema });
    },
  },
};
