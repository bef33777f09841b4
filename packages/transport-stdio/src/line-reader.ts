/** A line that cannot be handed on as text. */
export interface BrokenLine {
  /** What is wrong with it, as a sentence. */
  readonly flaw: string;
  /** How it begins; at most 1,024 characters. */
  readonly text: string;
  /** It may be a message for all that is known of it. */
  readonly tooLong?: true;
}

const newline = 10;
const byteOrderMark = 0xfeff;
const excerptLength = 1024;
// Chunks are kept by reference; so many in a row become one, so that a trickle of bytes costs bytes and not objects.
const mergeAt = 256;

/**
 * Cuts a stream of bytes into lines of text. Every run of whole lines is decoded at once; only a line that spans chunks
 * is put together first, so no character is ever cut. Blank lines and a leading byte order mark are passed over.
 */
export class LineReader {
  readonly #maxLineBytes: number;
  /** Decoded whole lines (the last newline may be missing) and broken ones, in order. */
  readonly #segments: (string | BrokenLine)[] = [];
  #text = '';
  #at = 0;
  #carry: Buffer[] = [];
  #carried = 0;
  #loose = 0;
  #skipping = false;
  #first = true;

  /** @param maxLineBytes - a longer line is dropped as it comes and reported once. */
  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** Takes what the stream has given; the chunk is kept, not copied. */
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

  /** The next line that is not blank, or undefined until more is pushed. */
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

  /** Ends the stream: what came after the last newline becomes the last line. */
  end(): void {
    if (this.#carried === 0) return;
    this.#decodeCarry();
    this.#dropCarry();
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

  /** Ends the line under way at a newline; returns where the next one begins. */
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
    // The decoder never fails: it writes U+FFFD, which rarely stands in honest text.
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
      else this.#segments.push({ flaw: 'The line is not UTF-8.', text: excerpt(line) });
      start = end + 1;
    }
  }

  /** @param pieces - the line as far as it has come. */
  #refuseLong(pieces: readonly Buffer[]): void {
    this.#first = false;
    this.#segments.push({
      flaw: `The line is longer than ${this.#maxLineBytes} bytes (maxLineBytes).`,
      text: excerpt(beginningOf(pieces)),
      tooLong: true,
    });
  }
}

// Importing a built-in module reads all it exports; where a global will do, a process starts sooner.
function isUtf8(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString()).equals(bytes);
}

/** Enough of a line for an excerpt, however it was cut. */
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
