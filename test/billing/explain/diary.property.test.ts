import fc from 'fast-check';
import { explainLine } from '../../../billing/explain/explain-line.ts';
import { runs } from '../../support/runs.ts';
import { diaries, snapshots } from '../contract/random.ts';

test('every line of any contract life comes out the same when worked out from its derivation', () => {
  fc.assert(
    fc.property(diaries(), (diary) => {
      for (const line of snapshots(diary).ledger.lines.values()) {
        const { amounts, recomputed, sentences } = explainLine(JSON.parse(JSON.stringify(line)));
        expect(recomputed).toEqual(amounts);
        expect(sentences.join()).not.toMatch(/undefined|null|NaN|e[+-]\d/);
      }
    }),
    runs(0.1),
  );
});
