/** One row of a table. */
export interface TableRow {
  readonly name: string;
  /** The story that shows the feature. Default: its name. */
  readonly place?: string;
  /** Returns the reason why a revision lacks it; undefined if it has it. */
  absent(revision: string): string | undefined;
}

/** Returns a Markdown table of features by revision, with the reasons for missing ones. */
export function tableOf(title: string, rows: readonly TableRow[], revisions: readonly string[]): string {
  const places = rows.some(({ place }) => place !== undefined);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const head = [title, ...(places ? ['story'] : []), ...revisions, 'why not'];
  const lines = rows.map(({ name, place, absent }) => {
    const whys = revisions.map(absent);
    const because = [...new Set(whys.filter((why) => why !== undefined))].join('; ');
    const marks = whys.map((why) => (why === undefined ? 'yes' : '-'));
    return line([name, ...(places ? [place ?? name] : []), ...marks, because]);
  });
  return [line(head), line(head.map(() => '---')), ...lines].join('\n');
}
