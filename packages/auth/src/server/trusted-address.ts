import { isUrl } from '@tenon/mcp-protocol/internal';
import { isPrivateWay } from '../client/private-way.js';

/**
 * An address that secrets may travel to, or trust may come from.
 * @param owner - the option that holds it, as the message names it.
 * @throws TypeError for what is neither https nor on this machine, and for one with credentials or a fragment.
 */
export function requireAddress(owner: string, address: string): URL {
  const url = isUrl(address) ? new URL(address) : undefined;
  const isPlain = url !== undefined && url.username === '' && url.password === '' && url.hash === '';
  if (isPlain && isPrivateWay(url)) return url;
  throw new TypeError(`${owner} must be an https address, or one of this machine, without credentials.`);
}
