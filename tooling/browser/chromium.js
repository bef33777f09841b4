import { chromium } from 'playwright-core';
import { programPath } from '../suite/programs.js';

/** Milliseconds for one action, or for a page to load. */
const patience = 20_000;

/**
 * Starts headless Chromium: the one that the variable CHROMIUM names, or `chromium`.
 *
 * @returns {Promise<import('playwright-core').Browser>}
 */
export function startChromium() {
  return chromium.launch({ executablePath: programPath('chromium'), args: ['--lang=en', '--disable-gpu'] });
}

/**
 * Opens an empty page. All share one context: a new one for each takes a second more.
 *
 * @param {import('playwright-core').Browser | undefined} browser
 */
export async function openPage(browser) {
  if (browser === undefined) throw new Error('Chromium does not run.');
  const [context = await browser.newContext()] = browser.contexts();
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  return page;
}

/**
 * Returns the errors of the scripts of a page, and its refused loads, as they come.
 *
 * @param {import('playwright-core').Page} page
 * @returns {readonly string[]}
 */
export function complaintsOf(page) {
  /** @type {string[]} */
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return complaints;
}
