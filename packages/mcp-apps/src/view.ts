export type { DisplayMode, HostCapabilities, HostContext } from './model/host-context.js';
export { HostError } from './view/channel.js';
export { openView, type View, type ViewOptions } from './view/open-view.js';
