import type { ModelBlock, ModelMessage, ToolResultBlock } from '../model.js';

export const transcriptBounds = {
  /** Messages, with those at the beginning. */
  messages: 1_000,
  /** Characters, with the base64 of images and sounds. */
  characters: 4_000_000,
};

export type TranscriptBounds = typeof transcriptBounds;

/** The messages of a conversation, within bounds. */
export class Transcript {
  readonly #messages: ModelMessage[];
  readonly #bounds: TranscriptBounds;
  #characters = 0;

  constructor(messages: readonly ModelMessage[], bounds: TranscriptBounds) {
    this.#messages = [...messages];
    this.#bounds = bounds;
    for (const { content } of messages) this.#characters += sizeOf(content);
  }

  get messages(): readonly ModelMessage[] {
    return [...this.#messages];
  }

  /** True if the next message would exceed a bound. */
  get isFull(): boolean {
    return this.#messages.length >= this.#bounds.messages || this.#characters >= this.#bounds.characters;
  }

  add(message: ModelMessage): void {
    this.#messages.push(message);
    this.#characters += sizeOf(message.content);
  }

  /** Returns the results; those that exceed the characters that are left are replaced by an error for the model. */
  fitted(results: readonly ToolResultBlock[]): readonly ToolResultBlock[] {
    let left = this.#bounds.characters - this.#characters;
    return results.map((result) => {
      const size = sizeOf(result.content);
      if (size > left) return errorResult(result.id, tooLarge(size));
      left -= size;
      return result;
    });
  }
}

/** Returns a result that says what went wrong. */
export function errorResult(id: string, text: string): ToolResultBlock {
  return { type: 'tool_result', id, content: [{ type: 'text', text }], isError: true };
}

function tooLarge(size: number): string {
  return `The result has ${size} characters, more than the conversation has left, so it is not here. Request less.`;
}

function sizeOf(content: readonly ModelBlock[]): number {
  return content.reduce((sum, block) => sum + charactersOf(block), 0);
}

function charactersOf(block: ModelBlock): number {
  switch (block.type) {
    case 'text':
      return block.text.length;
    case 'image':
    case 'audio':
      return block.data.length;
    case 'tool_result':
      return sizeOf(block.content);
    case 'tool_call':
      return block.name.length + JSON.stringify(block.args).length;
    case 'opaque':
      return JSON.stringify(block.value).length;
  }
}
