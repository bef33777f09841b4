import { type ParseArgsConfig, parseArgs } from 'node:util';
import { connect } from '@tenon/mcp-client';
import type { Scenario, ScenarioContext } from './scenario.js';
import { scenarios } from './scenarios.js';

const help = `everything-client: plays the client's part in a scenario of the official conformance suite.

Usage: node apps/everything-client/dist/main.js --command "<server command>" [--scenario <name>]

  --command <text>   the server to start, as a shell would
  --scenario <name>  what to do; MCP_CONFORMANCE_SCENARIO by default
  --revision <date>  the revision to speak; MCP_CONFORMANCE_PROTOCOL_VERSION, else whatever both ends speak
  --list             show the names of all scenarios
  --help             show this text

Exit code: 0 done, 1 failed or unknown scenario, 2 wrong arguments.
`;

const options = {
  command: { type: 'string' },
  scenario: { type: 'string', default: process.env.MCP_CONFORMANCE_SCENARIO },
  revision: { type: 'string', default: process.env.MCP_CONFORMANCE_PROTOCOL_VERSION },
  list: { type: 'boolean' },
  help: { type: 'boolean' },
} satisfies ParseArgsConfig['options'];

/** Connects as the scenario wants it and plays it to the end. */
async function play(scenario: Scenario, command: string, revision: string | undefined): Promise<void> {
  const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as ScenarioContext;
  const client = await connect(
    { command: 'sh', args: ['-c', `exec ${command}`] },
    {
      info: { name: 'everything-client', version: '1.0.0' },
      ...scenario.options,
      ...(revision !== undefined && scenario.negotiates !== true && { revision }),
    },
  );
  try {
    await scenario.run(client, context);
  } finally {
    await client.close();
  }
}

function fail(message: string, code: number): void {
  process.stderr.write(`everything-client: ${message}\n`);
  process.exitCode = code;
}

async function main(): Promise<void> {
  const { command, scenario: name, revision, ...show } = parseArgs({ options }).values;
  if (show.help === true) process.stdout.write(help);
  else if (show.list === true) process.stdout.write(`${[...scenarios.keys()].join('\n')}\n`);
  else if (command === undefined)
    fail('Say how to reach the server: --command "<server command>". See --help.', 2);
  else if (name === undefined) fail('Say what to do: --scenario <name>. See --help.', 2);
  else {
    const scenario = scenarios.get(name);
    if (scenario === undefined) fail(`There is no scenario '${name}'. See --list.`, 1);
    else await play(scenario, command, revision);
  }
}

await main().catch((error: Error & { code?: unknown }) => {
  const isUsage = typeof error.code === 'string' && error.code.startsWith('ERR_PARSE_ARGS');
  const message = isUsage ? `${error.message.split('. ', 1)[0]}. See --help.` : error.message;
  fail(message, isUsage ? 2 : 1);
});
