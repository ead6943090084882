import { mayPass, reasonOf } from '../../../db/fault.ts';

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

describe('the reason of a failure', () => {
  it('is what a rule says', () => {
    expect(reasonOf(new RangeError('the price has no amount'))).toBe('RangeError: the price has no amount');
  });

  it('has no word of the database, which shows columns and values', () => {
    const refused = error('22003', 'value "25769803752" is out of range for type integer');
    for (const one of [refused, new Error('not written', { cause: refused })])
      expect(reasonOf(one)).toBe('the database refused a statement (SQLSTATE 22003); the log has more');
  });
});
