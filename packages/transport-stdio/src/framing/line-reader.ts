/** A line that cannot be delivered as text. */
export interface BrokenLine {
  /** The problem with it, as a sentence. */
  readonly problem: string;
  /** Its beginning, at most 1,024 characters. */
  readonly text: string;
  /** True if the line may be a message that is too long. */
  readonly tooLong?: true;
}

const newline = 10;
const byteOrderMark = 0xfeff;
const excerptLength = 1024;
// Chunks are kept by reference; this many are merged into one, so that single bytes cost bytes and not objects.
const mergeAt = 256;

/**
 * Splits a stream of bytes into lines of text. A run of complete lines is decoded at once; only a line that spans chunks is
 * joined first, so no character is split. Blank lines and a leading byte order mark are skipped.
 */
export class LineReader {
  readonly #maxLineBytes: number;
  /** Decoded complete lines (the last newline may be missing) and broken ones, in order. */
  readonly #segments: (string | BrokenLine)[] = [];
  #text = '';
  #at = 0;
  #carry: Buffer[] = [];
  #carried = 0;
  #loose = 0;
  #skipping = false;
  #first = true;

  /** @param maxLineBytes - a longer line is dropped while it arrives, and reported once. */
  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** Adds a chunk, which is kept, not copied. */
  push(chunk: Buffer): void {
    const first = chunk.indexOf(newline);
    if (first < 0) {
      this.#keep(chunk);
      return;
    }
    const from = this.#carried > 0 || this.#skipping ? this.#finish(chunk, first) : 0;
    const to = chunk.lastIndexOf(newline) + 1;
    if (to - from > this.#maxLineBytes) this.#decodeEach(chunk, from, to);
    else if (to > from) this.#decode(chunk, from, to);
    if (to < chunk.length) this.#keep(to === 0 ? chunk : chunk.subarray(to));
  }

  /** Returns the next line that is not blank; undefined until more is pushed. */
  next(): string | BrokenLine | undefined {
    for (;;) {
      if (this.#at >= this.#text.length) {
        const segment = this.#segments.shift();
        if (typeof segment !== 'string') {
          this.#text = '';
          return segment;
        }
        this.#text = segment;
        this.#at = 0;
      }
      const found = this.#text.indexOf('\n', this.#at);
      const end = found < 0 ? this.#text.length : found;
      const line = this.#text.slice(this.#at, end);
      this.#at = end + 1;
      if (line.charCodeAt(0) > 32 || line.trim() !== '') return line;
    }
  }

  /** Ends the stream: the text after the last newline becomes the last line. */
  end(): void {
    if (this.#carried === 0) return;
    this.#decodeCarry();
    this.#dropCarry();
  }

  /** The beginning of the text after the last newline. */
  get unfinished(): string {
    return this.#carried === 0 ? '' : excerpt(beginningOf(this.#carry));
  }

  #keep(bytes: Buffer): void {
    if (this.#skipping) return;
    this.#carry.push(bytes);
    this.#carried += bytes.length;
    if (this.#carried > this.#maxLineBytes) {
      this.#skipping = true;
      this.#refuseLong(this.#carry);
      this.#dropCarry();
    } else if (++this.#loose === mergeAt) {
      this.#carry.push(Buffer.concat(this.#carry.splice(-mergeAt)));
      this.#loose = 0;
    }
  }

  /** Ends the current line at a newline; returns the index of the next line. */
  #finish(chunk: Buffer, end: number): number {
    if (this.#skipping) {
      this.#skipping = false;
      return end + 1;
    }
    this.#carry.push(chunk.subarray(0, end));
    this.#carried += end;
    if (this.#carried > this.#maxLineBytes) this.#refuseLong(this.#carry);
    else this.#decodeCarry();
    this.#dropCarry();
    return end + 1;
  }

  #decodeCarry(): void {
    const line = Buffer.concat(this.#carry, this.#carried);
    this.#decode(line, 0, line.length);
  }

  #dropCarry(): void {
    this.#carry = [];
    this.#carried = 0;
    this.#loose = 0;
  }

  #decode(bytes: Buffer, from: number, to: number): void {
    let text = bytes.toString('utf8', from, to);
    // The decoder never fails: it writes U+FFFD for invalid bytes, and valid text rarely contains it.
    if (text.includes('\ufffd') && !isUtf8(bytes.subarray(from, to))) {
      this.#decodeEach(bytes, from, to);
      return;
    }
    if (this.#first) {
      this.#first = false;
      if (text.charCodeAt(0) === byteOrderMark) text = text.slice(1);
    }
    this.#segments.push(text);
  }

  #decodeEach(bytes: Buffer, from: number, to: number): void {
    for (let start = from; start < to; ) {
      const found = bytes.indexOf(newline, start);
      const end = found < 0 || found >= to ? to : found;
      const line = bytes.subarray(start, end);
      if (line.length > this.#maxLineBytes) this.#refuseLong([line]);
      else if (isUtf8(line)) this.#decode(line, 0, line.length);
      else this.#segments.push({ problem: 'The line is not UTF-8.', text: excerpt(line) });
      start = end + 1;
    }
  }

  /** @param pieces - the part of the line that has arrived. */
  #refuseLong(pieces: readonly Buffer[]): void {
    this.#first = false;
    this.#segments.push({
      problem: `The line is longer than ${this.#maxLineBytes} bytes (maxLineBytes).`,
      text: excerpt(beginningOf(pieces)),
      tooLong: true,
    });
  }
}

// A global, because importing the built-in module would make the process start later.
function isUtf8(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString()).equals(bytes);
}

/** Returns enough of a line for an excerpt. */
function beginningOf(pieces: readonly Buffer[]): Buffer {
  const enough: Buffer[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    if (bytes >= excerptLength) break;
    enough.push(piece.subarray(0, excerptLength));
    bytes += piece.length;
  }
  return Buffer.concat(enough);
}

function excerpt(line: Buffer): string {
  return line.toString('utf8', 0, excerptLength);
}
