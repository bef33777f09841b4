import { parseArgs } from 'node:util';

export const help = `Runs the same steps with a notes server in every revision of the Model Context Protocol and over every transport
that it has (stdio, memory, http: Streamable HTTP; sse: HTTP+SSE, of the first revision), and prints the results as a
table. A dash marks a feature that a revision lacks, which is checked too. A second table has the same server over http
with an authorization server: signing in, gaining scopes, and refusals. Below is the trace of one call.

Usage: pnpm demo [options], or node apps/demo/dist/main.js [options]

  --revision <date>    only this revision; may be repeated
  --transport <name>   only this transport; may be repeated
  --json               print every cell with its expected value, as JSON
  --help               show this text

Exits with 0 if every cell is right, 1 if one is wrong, 2 for wrong options.
`;

/** The arguments of the command line. */
export interface Arguments {
  readonly revisions: readonly string[];
  readonly transports: readonly string[];
  readonly json: boolean;
  readonly help: boolean;
}

/** The revisions and transports to choose from. */
export interface Choice {
  readonly revisions: readonly string[];
  /** `revisions`: the revisions that have the transport; all by default. */
  readonly transports: readonly { readonly name: string; readonly revisions?: readonly string[] }[];
}

/** Reads the command line. Returns a sentence if an argument is wrong. */
export function readCommandLine(args: readonly string[], all: Choice): Arguments | string {
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
    if (!fits) return `Revision ${revisions.join(' or ')} is not available over ${transports.join(' or ')}`;
    return { revisions, transports, json: values.json, help: values.help };
  } catch (error) {
    return error instanceof Error ? error.message.replace(/\.(\s.*)?$/s, '') : String(error);
  }
}

/** Returns the chosen names in the order of the table. */
function chosen(
  kind: string,
  args: readonly string[] | undefined,
  all: readonly string[],
): readonly string[] {
  const unknown = args?.find((name) => !all.includes(name));
  if (unknown !== undefined)
    throw new RangeError(`Unknown ${kind} '${unknown}'; known are ${all.join(', ')}`);
  return args === undefined ? all : all.filter((name) => args.includes(name));
}
