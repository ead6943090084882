import { mayPass } from '../../../db/fault.ts';
import { isStalePlan } from '../../../db/sql-state.ts';

const shown = (message: string, code: string, routine: string): Error => Object.assign(new Error(message), { code, routine });

describe('a statement prepared before a migration', () => {
  it.each([
    ['English', 'cached plan must not change result type'],
    ['German', 'gecachter Plan darf den Ergebnistyp nicht ändern'],
    ['no language that is known here', '???'],
  ])('is known in %s', (_, message) => {
    const error = shown(message, '0A000', 'RevalidateCachedQuery');
    expect(isStalePlan(error)).toBe(true);
    expect(isStalePlan(new Error('wrapped', { cause: error }))).toBe(true);
  });

  it('is no fault of a contract, which would be parked for it: its transaction runs again', () => {
    const error = shown('cached plan must not change result type', '0A000', 'RevalidateCachedQuery');
    expect(mayPass(error)).toBe(true);
    expect(mayPass(shown('cannot use a cached plan here', '0A000', 'transformLockingClause'))).toBe(false);
  });

  it('is not taken for what the server does not support, nor for anything else', () => {
    expect(isStalePlan(shown('cannot use a cached plan here', '0A000', 'transformLockingClause'))).toBe(false);
    expect(isStalePlan(shown('deadlock detected', '40P01', 'RevalidateCachedQuery'))).toBe(false);
    expect(isStalePlan(new Error('cached plan'))).toBe(false);
    expect(isStalePlan(null)).toBe(false);
  });
});
