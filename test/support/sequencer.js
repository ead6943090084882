// Plain JavaScript, so that Jest lets Node load what orders the files.
export { FileOrder as default } from './file-order.ts';
