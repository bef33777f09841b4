import { scopes } from './authority.js';

/** Scopes that calls of tools take besides what every request does. */
export const scopesOfTools = new Map([
  ['write', scopes.write],
  ['rule', scopes.rule],
]);

/**
 * How a server says what only it knows.
 *
 * @typedef {object} Knowledge
 * @property {(extra: any) => { user: unknown, client: unknown, scopes: unknown }} caller
 * @property {() => object} asked what tokens were asked for
 * @property {(extra: any) => void} refuse refuses the token of the call from now on
 * @property {() => void} grow tells of a changed list of tools
 * @property {(name: string) => object} [scoped] what the options of a tool say of scopes
 */

/**
 * The tools of servers that let in only whom they know, on either generation of the official SDK.
 *
 * @param {{ registerTool: (name: string, options: any, handler: (...given: any[]) => any) => unknown }} server
 * @param {Knowledge} knowledge
 */
export function defineGuarded(server, { caller, asked, refuse, grow, scoped = () => ({}) }) {
  /**
   * @param {string} name
   * @param {(extra: any) => unknown} act gives a text
   */
  const tool = (name, act) =>
    server.registerTool(name, { description: name, ...scoped(name) }, async (extra) => ({
      content: [{ type: 'text', text: act(extra) }],
    }));
  tool('whoami', (extra) => JSON.stringify(caller(extra)));
  tool('asked', () => JSON.stringify(asked()));
  tool('write', () => 'written');
  tool('rule', () => 'ruled');
  tool('blacklist', (extra) => {
    refuse(extra);
    return 'done';
  });
  tool('grow', () => {
    grow();
    return 'done';
  });
}
