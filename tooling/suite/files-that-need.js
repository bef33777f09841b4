// Prints the test files that need one of the named programs: `node files-that-need.js redis postgres`.
import { programs } from './programs.js';
import { filesThatNeed } from './unable-files.js';

const keys = process.argv.slice(2).map((key) => {
  if (Object.hasOwn(programs, key)) return /** @type {keyof typeof programs} */ (key);
  throw new Error(`No test needs "${key}"; there are ${Object.keys(programs).join(', ')}.`);
});
console.log(filesThatNeed(keys).join('\n'));
