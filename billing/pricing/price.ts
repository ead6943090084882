// What other folders use of prices.
export { checkPrice, type PricePlace } from './check.ts';
export * from './strategy.ts';
