import { parseArgs } from 'node:util';

export const help = `Plays the same steps with a notes server in every revision of the Model Context Protocol and over every transport
that it has (stdio, memory, http: streamable HTTP; sse: HTTP+SSE, of the first revision), and prints what came of each
as a table. A dash marks what a revision lacks, which is checked too. A second table has the same server over http, where
it lets in only who signs in at an authorization server: what a token may do, how it comes to do more, and who is refused.

Usage: pnpm demo [options], or node apps/demo/dist/main.js [options]

  --revision <date>    only this revision; may be repeated
  --transport <name>   only this transport; may be repeated
  --json               print every cell with what was expected, as JSON
  --help               show this text

Exits with 0 when every cell is right, 1 when one is not, 2 when the options make no sense.
`;

/** What the command line asks for. */
export interface Wanted {
  readonly revisions: readonly string[];
  readonly transports: readonly string[];
  readonly json: boolean;
  readonly help: boolean;
}

/** What can be asked for. */
export interface Choice {
  readonly revisions: readonly string[];
  /** Those that not every revision has say which ones do. */
  readonly transports: readonly { readonly name: string; readonly revisions?: readonly string[] }[];
}

/** Reads the command line. Gives a sentence when it makes no sense. */
export function readCommandLine(args: readonly string[], all: Choice): Wanted | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        revision: { type: 'string', multiple: true },
        transport: { type: 'string', multiple: true },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const revisions = chosen('revision', values.revision, all.revisions);
    const names = all.transports.map(({ name }) => name);
    const transports = chosen('transport', values.transport, names);
    const fits = all.transports.some(
      ({ name, revisions: own = revisions }) =>
        transports.includes(name) && revisions.some((revision) => own.includes(revision)),
    );
    if (!fits) return `Over ${transports.join(' or ')} there is no revision ${revisions.join(' or ')}`;
    return { revisions, transports, json: values.json, help: values.help };
  } catch (error) {
    return error instanceof Error ? error.message.replace(/\.(\s.*)?$/s, '') : String(error);
  }
}

/** In the order of the table, whatever the order on the command line. */
function chosen(
  kind: string,
  wanted: readonly string[] | undefined,
  all: readonly string[],
): readonly string[] {
  const unknown = wanted?.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new RangeError(`There is no ${kind} '${unknown}', but ${all.join(', ')}`);
  return wanted === undefined ? all : all.filter((name) => wanted.includes(name));
}
