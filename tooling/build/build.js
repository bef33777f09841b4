// Builds the package in the current folder, then its declarations: `node build.js [ENTRY...]`. The file of each named entry,
// such as `./server`, contains the code that it loads at start, except code that another named entry loads too. Without names,
// this applies to the `/internal` entries.
import { compile, writeCode } from './build-package.js';

const folder = process.cwd();
await writeCode(folder, process.argv.slice(2));
process.exitCode = compile([folder]);
