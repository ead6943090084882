import type { PartName } from '../../local-stack/part.ts';
import type { OwnStack } from '../support/own-stack.ts';
import { firsts, invoiceDates, killUnderWay, signMonthly, stackOfFile, whenDone } from './kit.ts';

let stack: OwnStack;

describe('37 months in one step of the clock', () => {
  beforeAll(async () => {
    stack = await stackOfFile();
  });

  it.each<PartName>(['worker', 'api', 'temporal', 'postgres'])(
    'make 37 invoices, one on each first, although the %s is killed with -9 on the way',
    async (part) => {
      const story = await signMonthly(stack);
      await killUnderWay(stack, story, '2027-01-01T00:00:00Z', { part, all: 37 });
      await stack.restart(part);
      await whenDone(story);
      expect(await invoiceDates(story)).toEqual(firsts(37));
    },
  );
});
