import { mayPass } from '../../../db/fault.ts';

const error = (code: string, message = 'failed'): Error => Object.assign(new Error(message), { code });

describe('whether trying again may mend a failure', () => {
  it.each([
    ['08006', 'the connection was lost'],
    ['57P01', 'Postgres is shut down'],
    ['40P01', 'two transactions waited for each other'],
    ['53300', 'all connections are taken'],
    ['EPIPE', 'the socket was closed, though it looks like a SQLSTATE'],
    ['ECONNREFUSED', 'nobody listens'],
  ])('%s passes: %s', (code) => {
    expect(mayPass(error(code))).toBe(true);
    expect(mayPass(new Error('wrapped', { cause: error(code) }))).toBe(true);
  });

  it('a dropped connection passes, whatever its code', () => {
    expect(mayPass(new Error('Connection terminated unexpectedly'))).toBe(true);
  });

  it.each([
    ['23505', 'a key is taken'],
    ['22P02', 'a value has no number in it'],
    ['42883', 'a function is missing'],
  ])('%s stays: %s', (code) => {
    expect(mayPass(error(code))).toBe(false);
  });

  it('a rule that throws stays', () => {
    expect(mayPass(new TypeError('amount is not a number'))).toBe(false);
  });
});
