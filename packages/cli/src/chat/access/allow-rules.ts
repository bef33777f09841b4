import type { AccessRequest, Policy } from '@tenon/mcp-host';
import { WorkbenchError } from '@tenon/mcp-workbench';

/** Rules of a conversation, at most. */
const mostRules = 200;

/** A rule, as the user wrote it. */
interface Rule {
  readonly text: string;
  readonly fits: (request: AccessRequest) => boolean;
}

/**
 * The rules of a conversation that allow requests without a prompt: `SERVER` for everything of a server, `SERVER.TOOL` for a tool, with `*` for any characters.
 * All else needs consent, except sampling, which is reviewed, and an empty list of roots.
 */
export class AllowRules {
  readonly #startable: ReadonlySet<string>;
  #rules: readonly Rule[] = [];

  /** @param startable - names of servers that start without a prompt. */
  constructor(startable: ReadonlySet<string>) {
    this.#startable = startable;
  }

  get texts(): readonly string[] {
    return this.#rules.map(({ text }) => text);
  }

  /** @throws WorkbenchError `usage` if the rule is malformed, or there are too many. */
  add(text: string): void {
    if (!/^[^\s]{1,300}$/.test(text))
      throw new WorkbenchError('usage', 'A rule is SERVER or SERVER.TOOL, such as shop or shop.search_*.');
    if (this.#rules.length >= mostRules)
      throw new WorkbenchError(
        'usage',
        `There are ${mostRules} rules already: end the conversation, and begin with fewer.`,
      );
    if (this.texts.includes(text)) return;
    this.#rules = [...this.#rules, { text, fits: conditionOf(text) }];
  }

  /** Returns true if there was such a rule. */
  remove(text: string): boolean {
    const before = this.#rules.length;
    this.#rules = this.#rules.filter((rule) => rule.text !== text);
    return this.#rules.length < before;
  }

  /** Returns the rule that allows a tool; undefined if the user is asked. */
  ruleFor(server: string, tool: string): string | undefined {
    const request = { kind: 'tool', server, name: tool } as AccessRequest;
    return this.#rules.find(({ fits }) => fits(request))?.text;
  }

  /** Returns true if a rule lets the program of a server start. */
  letsStart(server: string): boolean {
    return this.#rules.some(({ fits }) => fits({ kind: 'start', server } as AccessRequest));
  }

  /** The policy of the host. */
  readonly policy: Policy = (request) => {
    if (request.kind === 'start' && this.#startable.has(request.server)) return 'allow';
    if (request.kind === 'sampling') return 'allow';
    if (request.kind === 'roots' && request.roots.length === 0) return 'allow';
    const rule = this.#rules.find(({ fits }) => fits(request));
    return rule === undefined ? 'ask' : { action: 'allow', reason: `The rule ${rule.text} allows it.` };
  };
}

function conditionOf(text: string): Rule['fits'] {
  const whole = patternOf(text);
  // A server may have a dot in its name, so each dot may be the border.
  const servers = [...text.matchAll(/\./g)].map(({ index }) => patternOf(text.slice(0, index)));
  return ({ kind, server, name }) => {
    if (whole.test(server)) return true;
    // A tool cannot run before its server has started.
    if (kind === 'start') return servers.some((pattern) => pattern.test(server));
    return (
      kind === 'tool' && servers.some((pattern) => pattern.test(server)) && whole.test(`${server}.${name}`)
    );
  };
}

function patternOf(text: string): RegExp {
  const parts = text.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
