import { openPage, startChromium } from '../chromium.js';
import { bundled, Stage } from './stage.js';

/** The page of a host in headless Chromium, with its sandbox and an origin that no view may reach. */
export class HostedPage {
  stage = new Stage();
  /** @type {import('playwright-core').Browser | undefined} */
  #chromium;
  /** @type {import('playwright-core').Page | undefined} */
  #page;

  async start() {
    await this.stage.open(await bundled(new URL('host-page.js', import.meta.url)));
    this.#chromium = await startChromium();
  }

  async close() {
    await this.#chromium?.close();
    await this.stage.close();
  }

  /** Opens the page again. */
  async reset() {
    this.stage.reached.length = 0;
    this.stage.sandboxes.length = 0;
    this.#page = await openPage(this.#chromium);
    await this.page.goto(this.stage.host);
  }

  get page() {
    if (this.#page === undefined) throw new Error('The page is not open.');
    return this.#page;
  }

  /**
   * @param {string} expression
   * @returns {Promise<any>}
   */
  evaluate(expression) {
    return this.page.evaluate(expression);
  }

  /**
   * Opens a view in the page.
   *
   * @param {string} html
   * @param {object} [more]
   * @returns {Promise<string>} `open`, or the error
   */
  open(html, more = {}) {
    const scene = { sandbox: `${this.stage.sandbox}/`, html, ...more };
    return this.evaluate(`host.open(${JSON.stringify(scene)})`);
  }

  /**
   * Waits until an event has happened.
   *
   * @param {string} name
   * @param {number} [times]
   * @returns {Promise<unknown[]>} the values of the event
   */
  until(name, times = 1) {
    return this.evaluate(`host.until(${JSON.stringify(name)}, ${times})`);
  }

  /**
   * Returns the events of one name.
   *
   * @param {string} name
   * @returns {Promise<unknown[][]>}
   */
  all(name) {
    const wanted = JSON.stringify(name);
    return this.evaluate(`host.events.filter(([one]) => one === ${wanted}).map((event) => event.slice(1))`);
  }

  /** Returns the paths that were requested from the other origin, after requests of this page have arrived there too. */
  async reached() {
    const url = JSON.stringify(`${this.stage.outside}/sentinel`);
    for (const _ of [1, 2]) await this.evaluate(`fetch(${url}).then(String)`);
    return this.stage.reached.filter((path) => path !== '/sentinel');
  }

  /** @returns {Promise<number>} */
  frames() {
    return this.evaluate("document.querySelectorAll('iframe').length");
  }
}
