import type { Caching } from '../cache/caching.js';
import type { Feature } from './feature.js';
import type { KnownTools } from './tools.js';

/** The stored lists and resources of a server. */
export interface KeptLists {
  readonly tools: KnownTools;
  readonly caching: Caching | undefined;
  /** Called when the offer of the server may have changed. */
  changed(): void;
}

/** Changes of lists as a feature of a client: a stored list is dropped when the server notifies of a change. */
export function listsFeature({ tools, caching, changed }: KeptLists): Feature {
  const drop = (list: 'tools' | 'prompts' | 'resources') => () => {
    // Headers stay: a server that needs other headers answers with an error, and they are read again then.
    if (list === 'tools') {
      tools.schemas.forget();
      tools.repeatable.forget();
      tools.preparation?.forget();
    }
    caching?.listChanged(list);
    changed();
  };
  return {
    name: 'lists',
    notifications: {
      'notifications/tools/list_changed': drop('tools'),
      'notifications/prompts/list_changed': drop('prompts'),
      'notifications/resources/list_changed': drop('resources'),
      'notifications/resources/updated': ({ uri }) => caching?.resourceUpdated(String(uri)),
    },
    start: (session) => {
      tools.schemas.forget();
      tools.headers.forget();
      tools.repeatable.forget();
      tools.preparation?.forget();
      caching?.begin(session);
      changed();
    },
    missed: () => {
      caching?.missed();
      changed();
    },
  };
}
