// The door to prices: what they are and what they must be.
export { checkPrice, type PricePlace } from './check.ts';
export * from './strategy.ts';
