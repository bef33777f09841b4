import {
  anInteger,
  aRecord,
  aString,
  byMember,
  type Definition,
  define,
  type Parts,
  plain,
  type Union,
  union,
  type WireShape,
} from '../../../codec/shape.js';
import { oneOf } from '../../../json-rpc/check.js';
import { annotations, definitionMembers } from './metadata.js';

const marks: Parts = { annotations, _meta: aRecord };

const textContent = define({ type: plain(oneOf('text')), text: aString }, marks);

const imageContent = define({ type: plain(oneOf('image')), data: aString, mimeType: aString }, marks);

const audioContent = define({ type: plain(oneOf('audio')), data: aString, mimeType: aString }, marks);

const contentsMembers: Parts = { mimeType: aString, _meta: aRecord };

export const resourceContents: WireShape = byMember(
  { blob: define({ uri: aString, blob: aString }, contentsMembers) },
  define({ uri: aString, text: aString }, contentsMembers),
);

const resourceMembers: Parts = { ...definitionMembers, mimeType: aString, size: anInteger, annotations };

export const resource: Definition = define({ uri: aString, name: aString }, resourceMembers);

const resourceLink = define(
  { type: plain(oneOf('resource_link')), uri: aString, name: aString },
  resourceMembers,
);

const embeddedResource = define({ type: plain(oneOf('resource')), resource: resourceContents }, marks);

/** Content of models and users. */
export const mediaContent: Parts = { text: textContent, image: imageContent, audio: audioContent };

export const contentBlock: Union = union('type', {
  ...mediaContent,
  resource: embeddedResource,
  resource_link: resourceLink,
});
