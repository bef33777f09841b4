import { scopes } from './authority.js';

/** Scopes that calls of tools need in addition to those of every request. */
export const scopesOfTools = new Map([
  ['write', scopes.write],
  ['rule', scopes.rule],
]);

/**
 * The functions that each protected server implements in its own way.
 *
 * @typedef {object} Knowledge
 * @property {(extra: any) => { user: unknown, client: unknown, scopes: unknown }} caller
 * @property {() => object} asked the number of token requests
 * @property {(extra: any) => void} refuse rejects the token of the call from now on
 * @property {() => void} grow notifies of a changed list of tools
 * @property {(name: string) => object} [scoped] the scope options of a tool
 */

/**
 * Defines the tools of protected servers, on either generation of the official SDK.
 *
 * @param {{ registerTool: (name: string, options: any, handler: (...given: any[]) => any) => unknown }} server
 * @param {Knowledge} knowledge
 */
export function defineGuarded(server, { caller, asked, refuse, grow, scoped = () => ({}) }) {
  /**
   * @param {string} name
   * @param {(extra: any) => unknown} act returns a text
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
