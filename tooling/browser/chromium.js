// Controls a headless Chromium through its debugging protocol over two pipes: no package, no port.
// https://chromedevtools.github.io/devtools-protocol/
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** Milliseconds for one command, or for a page to load. */
const patience = 20_000;

/**
 * @typedef {{ readonly id?: number, readonly sessionId?: string, readonly method?: string, readonly params?: any,
 *   readonly result?: any, readonly error?: { readonly message: string } }} Message
 */

/** A running browser. */
export class Chromium {
  /** @type {import('node:child_process').ChildProcess} */
  #process;
  /** @type {string} */
  #folder;
  /** @type {import('node:stream').Writable} */
  #input;
  /** @type {Map<number, (message: Message) => void>} */
  #waiting = new Map();
  /** The reason that the browser no longer answers. @type {string | undefined} */
  #ended;
  /** @type {Set<(message: Message) => void>} */
  #listeners = new Set();
  #ids = 0;

  /**
   * @param {import('node:child_process').ChildProcess} child
   * @param {string} folder
   */
  constructor(child, folder) {
    this.#process = child;
    this.#folder = folder;
    const { stderr } = child;
    const [, , , input, output] = child.stdio;
    if (!(input && 'write' in input && output && 'setEncoding' in output && stderr))
      throw new Error('Chromium has no pipes.');
    this.#input = input;
    input.on('error', () => {});
    let rest = '';
    output.setEncoding('utf8').on('data', (/** @type {string} */ part) => {
      const texts = (rest + part).split('\0');
      rest = texts.pop() ?? '';
      for (const text of texts) this.#receive(JSON.parse(text));
    });
    let said = '';
    stderr.setEncoding('utf8').on('data', (/** @type {string} */ part) => {
      said = (said + part).slice(-2_000);
    });
    child.once('close', (status, signal) => this.#end(`Chromium ended (${signal ?? status}). ${said}`));
  }

  /**
   * Starts the browser named by the variable CHROMIUM, or `chromium`.
   *
   * @returns {Promise<Chromium>}
   */
  static async start() {
    const { CHROMIUM: file = 'chromium' } = process.env;
    const folder = await mkdtemp(join(tmpdir(), 'tenon-chromium-'));
    const args = [
      ...['--headless=new', '--remote-debugging-pipe', `--user-data-dir=${folder}`, '--lang=en'],
      ...[
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
      ...['--disable-dev-shm-usage', '--disable-gpu'],
      // Chromium runs no sandbox for root.
      ...(process.geteuid?.() === 0 ? ['--no-sandbox'] : []),
    ];
    const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
    try {
      await once(child, 'spawn');
    } catch (cause) {
      await rm(folder, { recursive: true, force: true });
      throw new Error(
        `Cannot run ${file}. Install Chromium (Debian: apt-get install chromium), or say where it is: CHROMIUM=/path/to/it.`,
        { cause },
      );
    }
    const browser = new Chromium(child, folder);
    try {
      await browser.send('Browser.getVersion');
    } catch (error) {
      await browser.close();
      throw error;
    }
    return browser;
  }

  /**
   * @param {string} method
   * @param {object} [params]
   * @param {string} [sessionId] the page that receives the command
   * @returns {Promise<any>}
   */
  async send(method, params = {}, sessionId = undefined) {
    if (this.#ended !== undefined) throw new Error(this.#ended);
    const id = ++this.#ids;
    const answer = new Promise((resolve) => this.#waiting.set(id, resolve));
    this.#input.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
    const { result, error } = /** @type {Message} */ (await inTime(answer, method));
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /**
   * @param {(message: Message) => void} listener
   * @returns {() => void} removes the listener
   */
  listen(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Opens an empty page. */
  async open() {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, sessionId);
    for (const domain of ['Page', 'Runtime', 'Log']) await page.send(`${domain}.enable`);
    return page;
  }

  async close() {
    const exit = once(this.#process, 'close');
    if (this.#process.kill('SIGKILL')) await exit;
    // The browser's processes may still write files.
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  /** @param {string} why */
  #end(why) {
    this.#ended = why;
    for (const resolve of this.#waiting.values()) resolve({ error: { message: why } });
    this.#waiting.clear();
  }

  /** @param {Message} message */
  #receive(message) {
    const { id } = message;
    if (id === undefined) {
      for (const listener of this.#listeners) listener(message);
      return;
    }
    this.#waiting.get(id)?.(message);
    this.#waiting.delete(id);
  }
}

/** One page of a browser. */
export class Page {
  #browser;
  #session;
  /** Errors of scripts, and refused loads. @type {string[]} */
  complaints = [];

  /**
   * @param {Chromium} browser
   * @param {string} session
   */
  constructor(browser, session) {
    this.#browser = browser;
    this.#session = session;
    browser.listen(({ sessionId, method, params }) => {
      if (sessionId !== session) return;
      if (method === 'Log.entryAdded' && params.entry.level === 'error')
        this.complaints.push(params.entry.text);
      if (method === 'Runtime.exceptionThrown') this.complaints.push(params.exceptionDetails.text);
    });
  }

  /**
   * @param {string} method
   * @param {object} [params]
   * @returns {Promise<any>}
   */
  send(method, params = {}) {
    return this.#browser.send(method, params, this.#session);
  }

  /**
   * Opens an address, and waits until the page has loaded.
   *
   * @param {string} url
   */
  async go(url) {
    await this.#loaded(async () => {
      const { errorText } = await this.send('Page.navigate', { url });
      if (errorText !== undefined) throw new Error(`${new URL(url).origin}: ${errorText}`);
    });
  }

  /**
   * Clicks on a visible element with the mouse, and waits for the page it leads to.
   *
   * @param {string} selector
   */
  async click(selector) {
    const place = await this.evaluate(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      if (element === null) return null;
      element.scrollIntoView();
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    })()`);
    if (place === null) throw new Error(`The page has no ${selector}.`);
    await this.#loaded(async () => {
      for (const type of ['mousePressed', 'mouseReleased'])
        await this.send('Input.dispatchMouseEvent', { type, ...place, button: 'left', clickCount: 1 });
    });
  }

  /** The visible text. @returns {Promise<string>} */
  text() {
    return this.evaluate('document.body.innerText');
  }

  /** @returns {Promise<string>} */
  address() {
    return this.evaluate('location.href');
  }

  /**
   * @param {string} expression
   * @returns {Promise<any>} its value; a promise's result
   */
  async evaluate(expression) {
    const wanted = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', wanted);
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? 'thrown');
    return result.value;
  }

  /**
   * Calls a function that leads to another page, and waits until that page has loaded.
   *
   * @param {() => Promise<void>} action
   */
  async #loaded(action) {
    let stop = () => {};
    const loaded = new Promise((resolve) => {
      stop = this.#browser.listen(({ sessionId, method }) => {
        if (sessionId === this.#session && method === 'Page.loadEventFired') resolve(undefined);
      });
    });
    try {
      await action();
      await inTime(loaded, 'the page');
    } finally {
      stop();
    }
  }
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {string} what
 * @returns {Promise<T>}
 */
async function inTime(promise, what) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Chromium was waited for in vain: ${what}.`)), patience);
  });
  try {
    return /** @type {T} */ (await Promise.race([promise, late]));
  } finally {
    clearTimeout(timer);
  }
}
