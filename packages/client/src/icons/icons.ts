import {
  type ContentBlock,
  type Icon,
  type Implementation,
  MetaKey,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { isObject, isUrl } from '@tenon/mcp-protocol/internal';

interface IconBounds {
  /** Icons of one tool, prompt, resource or server. */
  readonly icons: number;
  /** Characters of an image inside the list. */
  readonly iconLength: number;
}

const longestAddress = 2_048;
const mostReported = 1_000;

/**
 * Returns the problem of an icon that must not be shown; undefined for a safe one. Safe are `https:` addresses without user name or
 * password, and images inside `data:` URIs.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/index#icons
 */
export function iconProblem({ src }: Icon, iconLength: number): string | undefined {
  if (/^data:/i.test(src)) {
    if (src.length > iconLength) return `it has more than ${iconLength} characters`;
    return /^data:image\/[a-z0-9.+-]+[;,]/i.test(src) ? undefined : 'its data is not an image';
  }
  if (src.length > longestAddress) return `its address has more than ${longestAddress} characters`;
  if (!isUrl(src)) return 'its address is not a whole URL';
  const { protocol, username, password } = new URL(src);
  if (protocol !== 'https:') return `icons come by https: or data:, not by ${protocol}`;
  return username === '' && password === '' ? undefined : 'its address holds a user name or password';
}

/** Removes unsafe icons from the lists of a server. */
export class IconFilter {
  readonly #limits: IconBounds;
  readonly #onError: (error: unknown, where: string) => void;
  readonly #reported = new Set<string>();

  /** @param onError - called once for each removed icon. */
  constructor(limits: IconBounds, onError: (error: unknown, where: string) => void) {
    this.#limits = limits;
    this.#onError = onError;
  }

  /** Returns a result with its safe icons; the same object if it has none. */
  clean<Result extends object>(method: string, result: Result): Result {
    if (method === 'server/discover') return this.#cleanDescription(result);
    const member = listed.get(method);
    const entries = member === undefined ? undefined : (result as UnknownObject)[member];
    if (member === undefined || !Array.isArray(entries)) return result;
    const isUsed = entries.some((entry) => isObject(entry) && entry.icons !== undefined);
    return isUsed ? { ...result, [member]: entries.map((entry) => this.#cleanOne(entry)) } : result;
  }

  /** Returns the server info with its safe icons. */
  cleanServer(server: Implementation | undefined): Implementation | undefined {
    return server && this.#cleanOne(server);
  }

  /** Returns content with the safe icons of its links; the same list if there are none. */
  cleanLinks(content: readonly ContentBlock[]): readonly ContentBlock[] {
    const isUsed = content.some((block) => 'icons' in block);
    return isUsed ? content.map((block) => ('name' in block ? this.#cleanOne(block) : block)) : content;
  }

  #cleanDescription<Result extends object>(result: Result): Result {
    const { _meta: meta } = result as { readonly _meta?: UnknownObject };
    const server = meta?.[MetaKey.serverInfo];
    if (!isObject(server)) return result;
    const clean = this.#cleanOne(server as unknown as Implementation);
    return { ...result, _meta: { ...meta, [MetaKey.serverInfo]: clean } };
  }

  #cleanOne<Owner extends { readonly name: string; readonly icons?: readonly Icon[] }>(owner: Owner): Owner {
    const { icons, ...rest } = owner;
    if (!Array.isArray(icons)) return owner;
    const fit: Icon[] = [];
    for (const [index, icon] of icons.entries()) {
      if (fit.length >= this.#limits.icons) {
        this.#report(owner.name, `${icons.length - index} icons`, 'they are too many');
        break;
      }
      if (this.#isFit(owner.name, icon)) fit.push(icon);
    }
    if (fit.length === icons.length) return owner;
    return (fit.length === 0 ? rest : { ...rest, icons: fit }) as Owner;
  }

  #isFit(owner: string, icon: unknown): boolean {
    // Revisions without icons do not check members of that name.
    if (!isIcon(icon)) return false;
    const problem = iconProblem(icon, this.#limits.iconLength);
    if (problem !== undefined && this.#reported.size < mostReported)
      this.#report(owner, `the icon ${JSON.stringify(icon.src.slice(0, 80))}`, problem);
    return problem === undefined;
  }

  #report(owner: string, what: string, problem: string): void {
    const message = `Left out of "${owner.slice(0, 128)}": ${what}: ${problem}.`;
    if (this.#reported.has(message) || this.#reported.size >= mostReported) return;
    this.#reported.add(message);
    this.#onError(new Error(message), 'icons');
  }
}

function isIcon(value: unknown): value is Icon {
  return isObject(value) && typeof value.src === 'string';
}

/** The member with the entries of each list. */
const listed: ReadonlyMap<string, string> = new Map([
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
]);
