// Prints the test files that name requirements, for `.ci/run`: they run for each commit.

import { root } from './rows/read-pages.js';
import { namedIds } from './running/named-ids.js';

console.log([...namedIds(root).keys()].join('\n'));
