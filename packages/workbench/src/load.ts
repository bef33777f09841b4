export { compareLoads, type LoadChange, readLoadReport } from './load/compare-loads.js';
export { type LoadCall, type RequestLoad, readLoadCalls, type ToolLoad } from './load/load-call.js';
export type { LoadProgress, LoadResult } from './load/load-run.js';
export { type LoadReport, type MeasureLoadOptions, measureLoad } from './load/measure-load.js';
export type { Latency, LoadErrors, Measured } from './load/measurement.js';
export type { LookupAddresses } from './load/own-machine.js';
