import { optionRules, requireOptions, withoutControls } from '@tenon/foundation';
import { redactWithin } from '@tenon/foundation/redaction';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { Middleware } from '@tenon/mcp-session';

/** Options of {@link cleanResults}. */
export interface CleanOptions {
  /** Credentials, found as `thorough` of `@tenon/mcp-server/redaction` finds them. Default true. */
  readonly secrets?: boolean;
  /** Terminal escapes, control characters and invisible text. Default: true. */
  readonly controls?: boolean;
  /** Cleans each text afterwards, for further texts that must not be sent. */
  readonly text?: (text: string) => string;
  /** The methods with results to clean. Default: `tools/call` only. */
  readonly methods?: readonly ('tools/call' | 'resources/read' | 'prompts/get')[];
}

const cleanable: readonly string[] = ['tools/call', 'resources/read', 'prompts/get'];

/**
 * Creates middleware that cleans the texts and the structured content of results: `server.use(cleanResults())`.
 * Images, audio and other bytes are unchanged. Cleaned content may no longer match an output schema that is strict about
 * its texts.
 * @throws TypeError if an option is unknown or of the wrong type.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#security-considerations
 */
export function cleanResults(options: CleanOptions = {}): Middleware {
  requireOptions('cleanResults', options, {
    secrets: optionRules.flag,
    controls: optionRules.flag,
    text: { is: 'a function from a text to a text', allows: optionRules.callable.allows },
    methods: {
      is: `a list of ${cleanable.join(', ')}`,
      allows: (value) => Array.isArray(value) && value.every((method) => cleanable.includes(method)),
    },
  });
  const { secrets = true, methods = ['tools/call'] } = options;
  const cleaned: ReadonlySet<string> = new Set(methods);
  let loaded: ((text: string) => string) | undefined;
  return async ({ direction, method }, next) => {
    const result = await next();
    if (direction !== 'inbound' || !cleaned.has(method)) return result;
    loaded ??= await loadCleaner(options);
    const text = loaded;
    const clean = (value: unknown): unknown => {
      if (typeof value === 'string') return text(value);
      return secrets ? redactWithin(value, unbounded, text) : mapTexts(value, text);
    };
    const changed: { [name: string]: unknown } = { ...result };
    let said = text;
    if (result.structuredContent !== undefined) {
      changed.structuredContent = clean(result.structuredContent);
      // A sensitive name hides everything below it, which its text alone would not show.
      const mirrored = JSON.stringify(result.structuredContent);
      const cleanMirror = JSON.stringify(changed.structuredContent);
      said = (dirty) => (dirty === mirrored ? cleanMirror : text(dirty));
    }
    for (const list of ['content', 'contents', 'messages']) {
      const blocks = result[list];
      if (Array.isArray(blocks)) changed[list] = blocks.map((block: unknown) => cleanBlock(block, said));
    }
    return changed;
  };
}

// The size of the result is limited, and checked again when it is written.
const unbounded = {
  depth: 512,
  values: Number.POSITIVE_INFINITY,
  characters: Number.POSITIVE_INFINITY,
};

async function loadCleaner(options: CleanOptions): Promise<(text: string) => string> {
  const { secrets = true, controls = true, text } = options;
  const redacted = secrets
    ? (await import('@tenon/foundation/redaction/thorough')).redactThoroughly
    : undefined;
  return (dirty) => {
    const visible = controls ? withoutControls(dirty) : dirty;
    const harmless = redacted === undefined ? visible : redacted(visible);
    return text === undefined ? harmless : text(harmless);
  };
}

/** A content block, the contents of a resource, or a message, with other texts. */
function cleanBlock(block: unknown, text: (text: string) => string): unknown {
  if (!isObject(block)) return block;
  const { text: said, resource, content } = block as UnknownObject;
  const isList = Array.isArray(content);
  return {
    ...block,
    ...(typeof said === 'string' && { text: text(said) }),
    ...(isObject(resource) && { resource: cleanBlock(resource, text) }),
    ...(isObject(content) && { content: cleanBlock(content, text) }),
    ...(isList && { content: content.map((one: unknown) => cleanBlock(one, text)) }),
  };
}

function mapTexts(value: unknown, text: (text: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, text));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, text)]));
}
