import { aBoolean, aRecord, type Definition, define, mapping, type Parts } from '../../../codec/shape.js';

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

export const serverCapabilities: Definition = define(
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
