export { type HttpServing, type ListenOptions, listenHttp } from './node/listening.js';
export { NodeCall } from './node/node-call.js';
export { type NodeGiven, type NodeHandler, nodeHandler } from './node/node-handler.js';
export { type NodePage, type NodePageOptions, type PageHandler, toNodePage } from './node/node-page.js';
export type { SidePages } from './node/side-pages.js';
