import { latestStateless } from '@tenon/mcp-protocol';
import { type LintRule, quoted, serverPlace, serverRule } from './rule.js';

const version: LintRule = {
  id: 'server-version',
  severity: 'warning',
  about: 'The server info has a name and a version.',
  *check({ catalog }) {
    const { name = '', version: text = '' } = catalog.server ?? {};
    if (name.trim() === '')
      yield {
        place: serverPlace,
        pointer: '/name',
        message: 'The server info has no name, which clients show. Add one.',
      };
    if (text.trim() === '' || /^v?0(?:\.0)*$/.test(text))
      yield {
        place: serverPlace,
        pointer: '/version',
        message: `The version is ${quoted(text)}, so nobody can tell which release failed. Use the version of your package.`,
      };
  },
};

const title = serverRule({
  id: 'server-title',
  severity: 'info',
  about: 'The server info has a title for people.',
  pointer: '/title',
  problem: ({ catalog: { server } }) =>
    server === undefined || (server.title ?? '').trim() !== ''
      ? undefined
      : 'The server has no title: people see its name.',
});

const icons = serverRule({
  id: 'server-icons',
  severity: 'info',
  about: 'The server info has an icon.',
  pointer: '/icons',
  problem: ({ catalog: { server } }) =>
    server === undefined || (server.icons ?? []).length > 0
      ? undefined
      : 'The server has no icon. Add one for clients that show it.',
});

const instructions = serverRule({
  id: 'instructions-long',
  severity: 'warning',
  about: 'The instructions have at most as many characters as the limit `instructionsLength`.',
  pointer: '/instructions',
  problem({ catalog }, { instructionsLength }) {
    const { length } = catalog.instructions ?? '';
    if (length <= instructionsLength) return undefined;
    return `The instructions have ${length} characters, and clients add them to each conversation; the limit is ${instructionsLength}. Keep what holds for all tools, and move the rest to descriptions.`;
  },
});

const instructionsMissing = serverRule({
  id: 'instructions-missing',
  severity: 'info',
  about: 'Servers with several tools have instructions on how the tools work together.',
  pointer: '/instructions',
  problem: ({ catalog: { tools, instructions: text = '' } }) =>
    tools.length < 5 || text.trim() !== ''
      ? undefined
      : 'The server has no instructions. Say in one or two sentences how its tools work together.',
});

const deprecated = serverRule({
  id: 'deprecated-features',
  severity: 'info',
  about: `Servers do not use what ${latestStateless.id} deprecates: log messages to clients.`,
  pointer: '/capabilities/logging',
  // Libraries declare the capability for servers that log nothing.
  problem: (_, __, { hasLogged }) =>
    hasLogged !== true
      ? undefined
      : `${latestStateless.id} deprecates log messages to clients. Write logs to stderr, or use OpenTelemetry.`,
});

/** Rules about the server info, the instructions and the capabilities. */
export const serverRules: readonly LintRule[] = [
  version,
  title,
  icons,
  instructions,
  instructionsMissing,
  deprecated,
];
