import type { Declare } from '../../context.js';
import { positiveNumber } from '../../server/option-values.js';
import { withServerOptions } from '../../server/server-options.js';
import type { BenchFlags } from './bench-flags.js';

const examples = `
Examples:
  tenon bench http://127.0.0.1:3000/mcp search q=tea --concurrency 8
  tenon bench --rate 200 --duration 30 --json http://127.0.0.1:3000/mcp search q=tea > before.json
  tenon bench --calls calls.json --compare before.json -- node server.js`;

/** `tenon bench`: measures the latency of calls under load. */
export const declareBench: Declare = (program, context) => {
  const command = program
    .command('bench')
    .argument('[words...]', 'the server, a tool, and its arguments as in tenon call')
    .description('measure latency and throughput under load; without a tool it calls tools/list')
    .usage('[SERVER] [TOOL] [name=value...] [options] [-- COMMAND ARGS...]')
    .option('--timeout <seconds>', 'seconds that one call may take (default: 30)', positiveNumber)
    .option('--args <json>', 'arguments as JSON, @file, or - for stdin')
    .option('--calls <file>', 'a mix of calls: [{ "tool", "arguments", "weight" }, { "method" }]')
    .option('--connections <n>', 'connections (default: 1)', positiveNumber)
    .option('--concurrency <n>', 'calls in flight, over all connections (default: 1)', positiveNumber)
    .option('--duration <seconds>', 'seconds of the measurement (default: 10)', positiveNumber)
    .option('--requests <n>', 'end after so many calls', positiveNumber)
    .option('--warmup <n>', 'calls before the measurement (default: 20)', Number)
    .option('--rate <n>', 'start n calls a second, however long they take', positiveNumber)
    .option('--compare <file>', 'compare with a report that --json has printed')
    .option('--i-own-this-server', 'allow a server that is not on this machine');
  withServerOptions(command, ['record', 'timeout'])
    .addHelpText('after', examples)
    .action(async (words: readonly string[], options: BenchFlags) => {
      const { runBench } = await import('./run-bench.js');
      await runBench({ ...context, words, options });
    });
};
