// The number of packages that an install of a server for stdio and HTTP brings, itself included.
import { fileURLToPath } from 'node:url';
import { countAfterInstall, countTenonAfterInstall } from './install.js';
import { packagesOf } from './installed.js';
import { failureOf, resultOf } from './results.js';

/** @typedef {import('./results.js').ContenderName} ContenderName */

const row = {
  id: 'packages',
  title: 'Packages installed for a server',
  unit: /** @type {const} */ ('packages'),
};
const target = 14;

/**
 * The packages to install. A schema library is a choice of the user unless the framework requires it.
 *
 * @type {Partial<Record<ContenderName, readonly string[]>>}
 */
const named = {
  tenon: ['@tenon/mcp-server'],
  'official-1': ['@modelcontextprotocol/sdk'],
  'official-2': ['@modelcontextprotocol/server', '@modelcontextprotocol/node'],
  tmcp: ['tmcp', '@tmcp/transport-stdio', '@tmcp/transport-http', '@tmcp/adapter-zod'],
  'mcp-lite': ['mcp-lite'],
  fastmcp: ['fastmcp'],
};

const bench = fileURLToPath(new URL('..', import.meta.url));

/** @type {import('./results.js').FootprintPart} */
export const packages = {
  rows: [row],
  async measure({ full, onProgress }) {
    const results = [];
    for (const [name, installs] of Object.entries(named)) {
      const contender = /** @type {ContenderName} */ (name);
      onProgress(`${full ? 'installing' : 'counting'} ${installs.join(', ')}`);
      const goal = contender === 'tenon' ? { target } : {};
      try {
        const value = full ? await install(contender, installs) : (await packagesOf(installs, bench)).size;
        results.push(resultOf(row, { contender, value, ...goal, note: await noteOf(installs) }));
      } catch (error) {
        results.push(failureOf(row, { contender, ...goal }, error));
      }
    }
    return results;
  },
};

/**
 * @param {ContenderName} contender
 * @param {readonly string[]} installs
 */
function install(contender, installs) {
  return contender === 'tenon' ? countTenonAfterInstall() : countAfterInstall(installs, bench);
}

/** @param {readonly string[]} installs */
async function noteOf(installs) {
  const [alone, withZod] = await Promise.all([
    packagesOf(installs, bench),
    packagesOf([...installs, 'zod'], bench),
  ]);
  const zod = alone.size === withZod.size ? 'zod included' : `${withZod.size} with zod`;
  return `${installs.join(', ')}; ${zod}`;
}
