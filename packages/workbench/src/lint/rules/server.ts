import { latestStateless } from '@tenon/mcp-protocol';
import { type LintRule, quoted, serverPlace } from './rule.js';

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

const title: LintRule = {
  id: 'server-title',
  severity: 'info',
  about: 'The server info has a title for people.',
  *check({ catalog }) {
    if (catalog.server === undefined || (catalog.server.title ?? '').trim() !== '') return;
    yield { place: serverPlace, pointer: '/title', message: 'The server has no title: people see its name.' };
  },
};

const icons: LintRule = {
  id: 'server-icons',
  severity: 'info',
  about: 'The server info has an icon.',
  *check({ catalog }) {
    if (catalog.server === undefined || (catalog.server.icons ?? []).length > 0) return;
    yield {
      place: serverPlace,
      pointer: '/icons',
      message: 'The server has no icon. Add one for clients that show it.',
    };
  },
};

const instructions: LintRule = {
  id: 'instructions-long',
  severity: 'warning',
  about: 'The instructions have at most as many characters as the limit `instructionsLength`.',
  *check({ catalog }, { instructionsLength }) {
    const { length } = catalog.instructions ?? '';
    if (length <= instructionsLength) return;
    yield {
      place: serverPlace,
      pointer: '/instructions',
      message: `The instructions have ${length} characters, and clients add them to each conversation; the limit is ${instructionsLength}. Keep what holds for all tools, and move the rest to descriptions.`,
    };
  },
};

const instructionsMissing: LintRule = {
  id: 'instructions-missing',
  severity: 'info',
  about: 'Servers with several tools have instructions on how the tools work together.',
  *check({ catalog }) {
    if (catalog.tools.length < 5 || (catalog.instructions ?? '').trim() !== '') return;
    yield {
      place: serverPlace,
      pointer: '/instructions',
      message: 'The server has no instructions. Say in one or two sentences how its tools work together.',
    };
  },
};

const deprecated: LintRule = {
  id: 'deprecated-features',
  severity: 'info',
  about: `Servers do not use what ${latestStateless.id} deprecates: log messages to clients.`,
  *check({ hasLogged }) {
    // Libraries declare the capability for servers that log nothing.
    if (hasLogged !== true) return;
    yield {
      place: serverPlace,
      pointer: '/capabilities/logging',
      message: `${latestStateless.id} deprecates log messages to clients. Write logs to stderr, or use OpenTelemetry.`,
    };
  },
};

/** Rules about the server info, the instructions and the capabilities. */
export const serverRules: readonly LintRule[] = [
  version,
  title,
  icons,
  instructions,
  instructionsMissing,
  deprecated,
];
