export { type HttpServing, type ListenOptions, listen } from './node/listening.js';
export { NodeCall } from './node/node-call.js';
export { type NodeGiven, type NodeHandler, nodeHandler } from './node/node-handler.js';
