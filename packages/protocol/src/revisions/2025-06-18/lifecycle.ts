import { isObject } from '../../json.js';
import type { RequestRow } from '../../revision.js';
import {
  clientCapabilities as capabilitiesBefore,
  initializeParams,
  initializeResult,
} from '../2024-11-05/lifecycle.js';
import { serverCapabilities } from '../2025-03-26/lifecycle.js';
import { aRecord, type Definition, grow, type Kind } from '../kind.js';
import { type Rows, request } from '../rows.js';
import { implementation } from './annotations.js';

/** Forms are all there is: a client that only opens pages does not elicit here. */
const formsOnly: Kind = {
  check: aRecord.check,
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
