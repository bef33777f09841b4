/**
 * @typedef {'floor' | 'tenon' | 'tenon-json' | 'tenon-host' | 'official-1' | 'official-2' | 'official-2-transport' | 'tmcp' | 'mcp-lite' | 'fastmcp'} ContenderName
 *
 * @typedef {object} Contender
 * @property {string} label
 * @property {readonly string[]} packages the npm packages it consists of
 * @property {Partial<Record<Part, readonly import('./wires.js').Lifecycle[]>>} takes the lifecycles it supports, by part
 * @property {readonly ('call' | 'list' | 'payload' | 'progress')[]} [workloads] default: all
 *
 * @typedef {'http-server' | 'stdio-server' | 'memory' | 'http-client' | 'stdio-client'} Part
 */

/** @type {readonly import('./wires.js').Lifecycle[]} */
const all = ['sessionless', 'session', 'stateless'];
/** @type {readonly import('./wires.js').Lifecycle[]} */
const duplex = ['session', 'stateless'];
/** @type {readonly import('./wires.js').Lifecycle[]} */
const handshakes = ['sessionless', 'session'];

/** @type {Contender['takes']} */
const everything = {
  'http-server': all,
  'stdio-server': duplex,
  memory: duplex,
  'http-client': duplex,
  'stdio-client': duplex,
};

/** @type {Record<ContenderName, Contender>} */
export const contenders = {
  floor: {
    label: 'floor',
    packages: [],
    takes: everything,
  },
  tenon: {
    label: 'Tenon',
    packages: ['@tenon/mcp-server', '@tenon/mcp-client', 'zod'],
    takes: everything,
  },
  'tenon-json': {
    label: 'Tenon, JSON Schema',
    packages: ['@tenon/mcp-server'],
    takes: { 'http-server': all, 'stdio-server': duplex, memory: duplex },
    workloads: ['call'],
  },
  'tenon-host': {
    label: 'Tenon, host',
    packages: ['@tenon/mcp-host'],
    takes: { 'http-client': duplex, 'stdio-client': duplex },
  },
  'official-1': {
    label: 'official 1.x',
    packages: ['@modelcontextprotocol/sdk'],
    takes: {
      'http-server': handshakes,
      'stdio-server': ['session'],
      memory: ['session'],
      'http-client': ['session'],
      'stdio-client': ['session'],
    },
  },
  'official-2': {
    label: 'official 2.x',
    packages: ['@modelcontextprotocol/server', '@modelcontextprotocol/client', '@modelcontextprotocol/node'],
    takes: everything,
  },
  'official-2-transport': {
    label: 'official 2.x, by transport',
    packages: ['@modelcontextprotocol/server', '@modelcontextprotocol/node'],
    takes: { 'http-server': ['sessionless'] },
    workloads: ['call'],
  },
  tmcp: {
    label: 'tmcp',
    packages: ['tmcp', '@tmcp/transport-http', '@tmcp/transport-stdio', '@tmcp/adapter-zod'],
    takes: { 'http-server': all, 'stdio-server': duplex, memory: duplex },
  },
  'mcp-lite': {
    label: 'mcp-lite',
    packages: ['mcp-lite'],
    takes: { 'http-server': handshakes },
  },
  fastmcp: {
    label: 'FastMCP',
    packages: ['fastmcp'],
    takes: { 'http-server': handshakes, 'stdio-server': ['session'], memory: ['session'] },
  },
};
