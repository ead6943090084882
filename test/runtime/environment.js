// Plain JavaScript, so that Jest lets Node load it.
export { OneRealm as default } from './one-realm.ts';
