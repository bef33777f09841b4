import { detach } from '@tenon/foundation';
import { longestHtml } from '../model/app-metadata.js';
import type { Loaded } from './app-files.js';
import type { AppOptions, SourceListener, SourceOptions } from './app-options.js';

/** The document of one app: a text, a function, a file, or a module that is built. */
export class AppSource {
  readonly #name: string;
  readonly #options: AppOptions;
  readonly #settings: SourceOptions;
  #kept: Promise<Loaded> | undefined;

  constructor(name: string, options: AppOptions, settings: SourceOptions) {
    this.#name = name;
    this.#options = options;
    this.#settings = settings;
  }

  /**
   * Returns the document. Files and builds are kept until they change.
   * @throws TypeError if there is no document, or it is too large; the error of the build.
   */
  async read(): Promise<string> {
    const { html } = this.#options;
    if (typeof html === 'string') return this.#checked(html);
    if (html !== undefined) return this.#checked(await html());
    return this.#checked((await this.#loaded()).html);
  }

  /** Loads the document, and again when one of its files changes. Returns a function that ends this. */
  watch({ clock, changed, failed }: SourceListener): () => void {
    const { html, file, entry } = this.#options;
    if (html !== undefined) return () => {};
    let stop = () => {};
    let isStopped = false;
    const load = async (isAgain: boolean): Promise<void> => {
      const { watchFiles, pathOf } = await import('./app-files.js');
      let files: readonly string[] = [pathOf(file ?? entry ?? '')];
      try {
        ({ files } = await this.#loaded());
      } catch (error) {
        failed(error);
      }
      if (isStopped) return;
      stop();
      const again = () => {
        this.#kept = undefined;
        detach(load(true), failed);
      };
      stop = watchFiles(files, { clock, changed: again, failed });
      if (isAgain) changed();
    };
    detach(load(false), failed);
    return () => {
      isStopped = true;
      stop();
    };
  }

  #loaded(): Promise<Loaded> {
    if (this.#kept !== undefined) return this.#kept;
    const loading = this.#load();
    this.#kept = loading;
    detach(loading, () => {
      if (this.#kept === loading) this.#kept = undefined;
    });
    return loading;
  }

  async #load(): Promise<Loaded> {
    const { loadApp } = await import('./app-files.js');
    return loadApp(this.#options, this.#settings);
  }

  #checked(html: unknown): string {
    if (typeof html !== 'string' || html.trim() === '')
      throw new TypeError(
        `App "${this.#name}" has no document: its source returned ${html === '' ? 'an empty text' : typeof html}.`,
      );
    if (html.length <= longestHtml) return html;
    throw new TypeError(
      `App "${this.#name}" has ${html.length} characters of HTML, more than ${longestHtml}: load large parts from csp.resourceDomains.`,
    );
  }
}
