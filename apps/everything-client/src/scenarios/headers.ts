import { listing } from './calls.js';
import type { Scenario, ScenarioOptions } from './scenario.js';

const silent: ScenarioOptions = {
  onElicit: () => ({ action: 'decline' }),
  onSample: () => ({ role: 'assistant', content: { type: 'text', text: '' }, model: 'none' }),
  roots: [],
};

/** Scenarios about the headers of requests, and about streams. */
export const headerScenarios: Record<string, Scenario> = {
  'request-metadata': {
    options: silent,
    negotiates: true,
    run: listing,
  },

  'http-standard-headers': {
    async run(client) {
      const { tools, resources, prompts } = client.capabilities;
      const [tool] = tools === undefined ? [] : await client.tools().all();
      if (tool !== undefined) await client.callTool(tool.name);
      const [resource] = resources === undefined ? [] : await client.resources().all();
      if (resource !== undefined) await client.readResource(resource.uri);
      const [prompt] = prompts === undefined ? [] : await client.prompts().all();
      if (prompt !== undefined) await client.getPrompt(prompt.name);
    },
  },

  'http-custom-headers': {
    async run(client, { toolCalls = [] }) {
      await client.tools().all();
      for (const call of toolCalls) await client.callTool(call.name, call.arguments);
    },
  },

  'http-invalid-tool-headers': {
    async run(client) {
      for await (const tool of client.tools()) await client.callTool(tool.name);
    },
  },

  'sse-retry': {
    negotiates: true,
    async run(client) {
      await client.callTool('test_reconnection');
    },
  },
};
