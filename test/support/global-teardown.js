export { stopShared as default } from './shared-stack.ts';
