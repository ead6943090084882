// Plain JavaScript, so that Jest lets Node load the servers' code as it does in production.
export { startShared as default } from './shared-stack.ts';
