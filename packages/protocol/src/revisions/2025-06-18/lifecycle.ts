import type { RequestRow } from '../../codec/revision.js';
import { type Rows, request } from '../../codec/rows.js';
import { aRecord, type Definition, grow, type WireShape } from '../../codec/shape.js';
import { isObject } from '../../json-rpc/json.js';
import {
  clientCapabilities as capabilitiesBefore,
  initializeParams,
  initializeResult,
} from '../2024-11-05/lifecycle.js';
import { serverCapabilities } from '../2025-03-26/revision.js';
import { implementation } from './content.js';

/** This revision has forms only: a client that only opens pages does not elicit here. */
const formsOnly: WireShape = {
  ...aRecord,
  write: (value) => {
    if (!isObject(value)) return value;
    return value.url !== undefined && value.form === undefined ? undefined : {};
  },
};

export const clientCapabilities: Definition = grow(capabilitiesBefore, {
  optional: { elicitation: formsOnly },
});

export const initialize: Rows<RequestRow> = {
  initialize: request(
    grow(initializeParams, { required: { capabilities: clientCapabilities, clientInfo: implementation } }),
    grow(initializeResult, { required: { capabilities: serverCapabilities, serverInfo: implementation } }),
  ),
};
