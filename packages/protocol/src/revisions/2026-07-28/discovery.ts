import * as neutral from '../../codec/neutral-keys.js';
import type { RequestRow } from '../../codec/revision.js';
import type { Rows } from '../../codec/rows.js';
import {
  aBoolean,
  aRecord,
  aString,
  type Definition,
  define,
  listOf,
  mapping,
  message,
  type Parts,
} from '../../codec/shape.js';
import { requestMeta } from './content.js';
import { cacheable, cacheMembers, completeResult } from './results.js';

const open: Parts = { experimental: mapping(aRecord), extensions: mapping(aRecord) };

export const clientCapabilities: Definition = define(
  {},
  {
    ...open,
    roots: define({}),
    sampling: define({}, { context: aRecord, tools: aRecord }),
    elicitation: define({}, { form: aRecord, url: aRecord }),
  },
  ['tasks'],
);

const serverCapabilities = define(
  {},
  {
    ...open,
    logging: aRecord,
    completions: aRecord,
    prompts: define({}, { listChanged: aBoolean }),
    resources: define({}, { subscribe: aBoolean, listChanged: aBoolean }),
    tools: define({}, { listChanged: aBoolean }),
  },
  ['tasks'],
);

export const discovery: Rows<RequestRow> = {
  'server/discover': cacheable(
    message(neutral.noParams, {}, { _meta: requestMeta }),
    completeResult(
      neutral.discoverResult,
      { supportedVersions: listOf(aString), capabilities: serverCapabilities },
      { ...cacheMembers, instructions: aString },
    ),
  ),
};
