import { type LintRule, quoted, toolPlace, toolRule } from './rule.js';

const pointer = '/name';

const characters = toolRule({
  id: 'name-characters',
  severity: 'error',
  about: 'Names of tools have only letters A to Z, digits, "_", "-" and ".".',
  pointer,
  problem({ tool }) {
    if (/^[A-Za-z0-9_.-]+$/.test(tool.name)) return undefined;
    return tool.name === ''
      ? 'The name is empty. Give the tool a name.'
      : `The name ${quoted(tool.name)} has other characters than letters A to Z, digits, "_", "-" and ".". Clients replace them or reject the tool: rename it.`;
  },
});

const dots = toolRule({
  id: 'name-dots',
  severity: 'warning',
  about: 'Names of tools have no dots: Claude Desktop then shows none of the tools of the server.',
  pointer,
  problem({ tool }) {
    if (!tool.name.includes('.')) return undefined;
    return `Claude Desktop loads no tool of a server if one name has a dot. Write ${quoted(tool.name.replaceAll('.', '_'))}.`;
  },
});

/** Characters that names of servers in configurations have at least, except for a few. */
const leastServerName = 10;

const length = toolRule({
  id: 'name-length',
  severity: 'warning',
  about:
    'Names of tools are short enough for clients, alone and with a prefix "mcp__NAME__", NAME being the name that the user gives the server.',
  pointer,
  problem({ tool }, { nameLength, prefixedNameLength }) {
    const { length: own } = tool.name;
    // The server info is not the name of the server in the configuration of a client.
    const left = prefixedNameLength - own - 'mcp____'.length;
    if (own <= nameLength && left >= leastServerName) return undefined;
    return own > nameLength
      ? `The name has ${own} characters; many clients accept ${nameLength}. Shorten it.`
      : `The name has ${own} characters, which leaves ${Math.max(left, 0)} for the name that the user gives the server: clients add "mcp__NAME__", and many models accept ${prefixedNameLength} in all. Shorten it.`;
  },
});

const duplicate: LintRule = {
  id: 'name-duplicate',
  severity: 'error',
  about: 'Each name is used by one tool, and each name by one prompt.',
  *check({ catalog }) {
    for (const [kind, entries] of [
      ['tool', catalog.tools],
      ['prompt', catalog.prompts],
    ] as const) {
      const seen = new Set<string>();
      for (const { name } of entries) {
        if (seen.has(name))
          yield {
            place: { kind, name },
            pointer,
            message: `Two ${kind}s have this name, and clients can call only one of them. Rename one.`,
          };
        seen.add(name);
      }
    }
  },
};

const collision: LintRule = {
  id: 'name-collision',
  severity: 'warning',
  about: 'Names of tools differ by more than case and by more than "-", "." and "_".',
  *check({ catalog }) {
    const seen = new Map<string, string>();
    for (const tool of catalog.tools) {
      const key = tool.name.toLowerCase().replace(/[^a-z0-9]/g, '_');
      const other = seen.get(key);
      if (other === undefined) seen.set(key, tool.name);
      else if (other !== tool.name)
        yield {
          place: toolPlace(tool),
          pointer,
          message: `Clients that replace characters cannot tell it from ${quoted(other)}. Rename one of them.`,
        };
    }
  },
};

const prefix = toolRule({
  id: 'name-prefix',
  severity: 'info',
  about:
    "Names of tools do not repeat the server's name, which users often choose as the prefix that some clients add.",
  pointer,
  problem({ tool }, _, { catalog }) {
    const server = simplified(catalog.server?.name ?? '');
    if (server === '' || !simplified(tool.name).startsWith(`${server}_`)) return undefined;
    return 'The name begins with the name of the server. Some clients add the name that the user gives the server, often the same. Consider a name without it.';
  },
});

function simplified(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '_')
    .replace(/_(mcp|server|mcp_server)$/, '');
}

/** Rules about the names of tools and prompts. */
export const nameRules: readonly LintRule[] = [characters, dots, length, duplicate, collision, prefix];
