import { type ParseArgsConfig, parseArgs } from 'node:util';
import { connect, type Target } from '@tenon/mcp-client';
import { refused } from './refused.js';
import type { Scenario, ScenarioContext } from './scenarios/scenario.js';
import { scenarios } from './scenarios/scenarios.js';

const help = `everything-client: plays the client's part in a scenario of the official conformance suite.

Usage: node apps/everything-client/dist/main.js <server URL> [--scenario <name>]
       node apps/everything-client/dist/main.js --command "<server command>" [--scenario <name>]

  --command <text>   the server to start, as a shell would, instead of one that has a URL
  --scenario <name>  what to do; MCP_CONFORMANCE_SCENARIO by default
  --revision <date>  the revision to speak; MCP_CONFORMANCE_PROTOCOL_VERSION, else whatever both ends speak
  --list             show the names of all scenarios
  --help             show this text

Says "done" last of all; where it must not be let in, once it has given up for the reason it should.
Exit code: 0 done, 1 failed or unknown scenario, 2 wrong arguments.
`;

const options = {
  command: { type: 'string' },
  scenario: { type: 'string', default: process.env.MCP_CONFORMANCE_SCENARIO },
  revision: { type: 'string', default: process.env.MCP_CONFORMANCE_PROTOCOL_VERSION },
  list: { type: 'boolean' },
  help: { type: 'boolean' },
} satisfies ParseArgsConfig['options'];

/** Connects for a scenario and runs it to the end. */
async function play(scenario: Scenario, target: Target, revision: string | undefined): Promise<void> {
  const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as ScenarioContext;
  const { options } = scenario;
  const client = await connect(target, {
    info: { name: 'everything-client', version: '1.0.0' },
    ...(typeof options === 'function' ? options(context) : options),
    ...(revision !== undefined && scenario.negotiates !== true && { revision }),
  });
  try {
    await scenario.run(client, context);
  } finally {
    await client.close();
  }
}

/** Returns the server that the arguments name, or a sentence about the wrong argument. */
function readTarget(command: string | undefined, urls: readonly string[]): { target: Target } | string {
  const [url, ...more] = urls;
  if (command === undefined && url === undefined) {
    return 'Say how to reach the server: its URL, or --command "<server command>"';
  }
  if (more.length > 0 || (command !== undefined && url !== undefined)) return 'Name one server only';
  if (command !== undefined) return { target: { command: 'sh', args: ['-c', `exec ${command}`] } };
  return URL.canParse(url ?? '') ? { target: new URL(url ?? '') } : `'${url}' is not a URL`;
}

function fail(message: string, code: number): void {
  process.stderr.write(`everything-client: ${message}\n`);
  process.exitCode = code;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const { command, scenario: name, revision, ...show } = values;
  if (show.help === true) return void process.stdout.write(help);
  if (show.list === true) return void process.stdout.write(`${[...scenarios.keys()].join('\n')}\n`);
  const read = readTarget(command, positionals);
  if (typeof read === 'string') return fail(`${read}. See --help.`, 2);
  if (name === undefined) return fail('Say what to do: --scenario <name>. See --help.', 2);
  const scenario = scenarios.get(name);
  if (scenario === undefined) return fail(`There is no scenario '${name}'. See --list.`, 1);
  const played = play(scenario, read.target, revision);
  await (scenario.refusal === undefined ? played : refused(played, scenario.refusal));
  process.stdout.write('done\n');
}

await main().catch((error: Error & { code?: unknown }) => {
  const isUsage = typeof error.code === 'string' && error.code.startsWith('ERR_PARSE_ARGS');
  const message = isUsage ? `${error.message.split('. ', 1)[0]}. See --help.` : error.message;
  fail(message, isUsage ? 2 : 1);
});
