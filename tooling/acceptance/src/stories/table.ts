/** What stands in one row of the table of a page. */
export interface TableRow {
  readonly name: string;
  /** Where it is told; the name again where that says it. */
  readonly place?: string;
  /** Why a revision has none of it; undefined where it has. */
  absent(revision: string): string | undefined;
}

/** A table of what there is in which revision, and why not, as Markdown. */
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
