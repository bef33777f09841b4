/** One line of a transcript, with its continuation lines. */
export interface Step {
  /** Line in the file, from 1. */
  readonly line: number;
  /** `out` is sent by the client, `in` by the server. */
  readonly direction: 'out' | 'in';
  /** The text after the arrow; white space of continuation lines is kept. */
  readonly text: string;
}

/** The messages between a start of a server and its end. */
export interface Story {
  /** The heading above, or the title of the file. */
  readonly title: string;
  readonly steps: readonly Step[];
}

const arrows: ReadonlyMap<string, Step['direction']> = new Map([
  ['→ ', 'out'],
  ['← ', 'in'],
]);

/** The kind of a block: frames, or HTTP exchanges. */
export type Fence = 'transcript' | 'http';

const fences: ReadonlySet<string> = new Set<Fence>(['transcript', 'http']);

/**
 * Reads the stories of a page: one for each `## ` heading with blocks, or one for the whole page. A block is fenced as
 * `transcript`, or as the kind in `fence`, and has a sentence above it.
 * @throws SyntaxError with the line that breaks the format
 */
export function readStories(markdown: string, fence: Fence = 'transcript'): readonly Story[] {
  const page = new Page(fence);
  for (const [index, text] of markdown.split('\n').entries()) page.take(text, index + 1);
  return page.finish();
}

class Page {
  readonly #wanted: Fence;
  readonly #stories: { readonly title: string; readonly steps: Step[] }[] = [];
  #title = '';
  #fence: string | undefined;
  #hasProse = false;
  #steps: Step[] | undefined;

  constructor(wanted: Fence) {
    this.#wanted = wanted;
  }

  take(text: string, line: number): void {
    if (text.startsWith('```')) this.#fenceLine(text, line);
    else if (this.#fence === this.#wanted) this.#blockLine(text, line);
    else if (this.#fence === undefined) this.#proseLine(text);
    else if (arrows.has(text.slice(0, 2)) && !fences.has(this.#fence))
      throw problem(line, 'an arrow outside a transcript block');
  }

  finish(): readonly Story[] {
    if (this.#fence !== undefined) throw problem(0, 'the last block has no end');
    return this.#stories;
  }

  #fenceLine(text: string, line: number): void {
    if (this.#fence !== undefined) {
      this.#fence = undefined;
      this.#hasProse = false;
      return;
    }
    this.#fence = text.slice(3).trim();
    if (fences.has(this.#fence) && !this.#hasProse) throw problem(line, 'a block needs a sentence above it');
    if (this.#fence !== this.#wanted) return;
    if (this.#steps !== undefined) return;
    this.#steps = [];
    this.#stories.push({ title: this.#title, steps: this.#steps });
  }

  #proseLine(text: string): void {
    const heading = /^##? (.+)/.exec(text)?.[1];
    if (heading !== undefined) {
      this.#title = heading;
      this.#steps = undefined;
      this.#hasProse = false;
    } else if (text.trim() !== '') this.#hasProse = true;
  }

  #blockLine(text: string, line: number): void {
    const direction = arrows.get(text.slice(0, 2));
    const last = this.#steps?.at(-1);
    if (direction !== undefined) this.#steps?.push({ line, direction, text: text.slice(2) });
    else if (!text.startsWith('  ') || last === undefined)
      throw problem(line, 'expected →, ← or a continuation');
    else this.#steps?.splice(-1, 1, { ...last, text: `${last.text}\n${text}` });
  }
}

function problem(line: number, message: string): SyntaxError {
  return new SyntaxError(`line ${line}: ${message}`);
}
