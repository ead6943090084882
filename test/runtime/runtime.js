// Plain JavaScript, so that Jest lets Node load it.
export { NodeLoads as default } from './node-loads.ts';
