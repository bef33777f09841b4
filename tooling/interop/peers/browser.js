/** The browser of somebody who is signed in everywhere, and says yes to everything unless he is called `deny`. */
export class Browser {
  user = 'ada';
  /** @type {URL[]} where it was sent to sign in, in order */
  visits = [];

  /**
   * Goes to sign in.
   *
   * @param {URL} url
   * @returns {Promise<URL>} where it was sent back to
   */
  async visit(url) {
    this.visits.push(url);
    const asked = new URL(url);
    asked.searchParams.set('login_hint', this.user);
    const response = await fetch(asked, { redirect: 'manual' });
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`nobody was sent back: ${response.status} ${await response.text()}`);
    return new URL(location);
  }
}
