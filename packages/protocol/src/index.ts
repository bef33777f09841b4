export { type Cancel, type Clock, withoutControls } from '@tenon/foundation';
export { type Decoded, decodeParams, decodeResult, encodeParams, encodeResult } from './codec/codec.js';
export { encodeInputRequest, encodeToolResult } from './codec/core-shapes.js';
export type {
  Codec,
  MethodTable,
  NotificationRow,
  Repair,
  Repaired,
  RequestRow,
  RequestStamp,
  Revision,
  Rules,
  Side,
} from './codec/revision.js';
export {
  type EdgeView,
  type Inbound,
  type InboundNotification,
  type InboundRequest,
  type InboundResponse,
  type Refusal,
  type RefusalName,
  type Rejection,
  readMessage,
  refusals,
} from './edge/edge.js';
export {
  type CustomNotification,
  type CustomNotificationParams,
  defineMethod,
  defineNotification,
  type ExtensionSettings,
  type HandledParams,
  type HandledResult,
  type Method,
  type MethodParams,
  type MethodResult,
  type MethodTraits,
  type ReceivedParams,
  type RevisionTraits,
} from './extensions/method.js';
export type { Shape, ShapeInput, ShapeIssue, ShapeOutput, StandardShape } from './extensions/shape.js';
export type { Problem, WireCheck } from './json-rpc/check.js';
export {
  ErrorCode,
  RemoteError,
  type RemoteErrorOptions,
  RpcError,
  SessionError,
  type SessionErrorReason,
  TransportError,
  type TransportErrorOptions,
} from './json-rpc/errors.js';
export {
  extensionIdProblem,
  isReservedMetaKey,
  MetaKey,
  metaKeyProblem,
  traceKeys,
} from './json-rpc/meta.js';
export type * from './message-types.js';
export type { Base64Input, Bytes } from './model/base64.js';
// By name: authors of extensions add members to it.
export type { CapabilitySettings, Extensions } from './model/capabilities.js';
export { textOf } from './model/content.js';
export type { Contract, Contracted, ContractOf, OpenContract } from './model/contract.js';
export {
  type ElicitationCompleteParams,
  RemoteUrlElicitationError,
  UrlElicitationRequiredError,
} from './model/elicitation.js';
export { isInputRequired } from './model/input.js';
export type { CancelledParams } from './model/lifecycle.js';
export { logLevels, type SetLevelParams } from './model/logging.js';
export type { EmptyResult, InputAnswers, PageParams } from './model/message-members.js';
export type {
  NotificationMethod,
  NotificationTypes,
  ParamsOf,
  RequestMethod,
  RequestTypes,
  ResultOf,
} from './model/methods.js';
export type { ResourceParams } from './model/resources.js';
export { InsufficientScopeError } from './model/scopes.js';
export type { AcknowledgedParams, ListenParams, ResourceUpdatedParams } from './model/subscriptions.js';
export type {
  Admitted,
  AuthorizationChallenge,
  AuthorizationHeaders,
  AuthorizedRequest,
  Authorizer,
  AuthProvider,
  Guard,
  GuardedRequest,
  GuardTarget,
  HttpRefusal,
} from './ports/authorization.js';
export type {
  Answer,
  CallHistory,
  ClientAnswer,
  Connection,
  Envelope,
  Exchange,
  Receiver,
  SessionSettings,
  SharedSessionPort,
  SuspendedCall,
  TransportFacts,
  WorkBounds,
} from './ports/connection.js';
export {
  type CallRecoveryEvent,
  type DroppedEvent,
  type EventPeer,
  type EventPort,
  eventPeer,
  eventReason,
  eventText,
  type FailureEvent,
  type RefusedEvent,
  type RequestEvent,
  type ServerEvent,
  type SessionEvent,
  type StateEvent,
} from './ports/server-event.js';
export { serverPort } from './ports/server-port.js';
export { findRevision, latest, latestHandshake, latestStateless, revisions } from './revisions/index.js';
