import { scriptedBrowser } from '@tenon/mcp-testing/oauth';
import { redirectUri } from './sign-in.js';

/** The browser of a user who agrees to everything; the authorization server refuses the user `deny`. */
export class Browser {
  user = 'ada';
  /** @type {URL[]} the addresses of authorization servers that the browser opened, in order */
  visits = [];

  /**
   * Signs in.
   *
   * @param {URL} url of the authorization request
   * @returns {Promise<URL>} the redirect URI with the response
   */
  visit(url) {
    this.visits.push(url);
    return scriptedBrowser({ user: this.user, redirectUri }).begin().authorize({ url });
  }
}
