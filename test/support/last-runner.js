// Jest begins the files of one runner when those of another have ended: under this one a project waits for all others.
export { default } from 'jest-runner';
