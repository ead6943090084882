// What other folders use of prices.
export { checkPrice } from './check.ts';
export * from './strategy.ts';
