import type { OpenPart, SpendBound } from '../../billing/contract/charge/room-to-spend.ts';
import { text } from '../../billing/money/decimal.ts';
import { justAbove } from '../../billing/money/round.ts';
import { baseOf, levelsOf, type Watch, watchOfAlert, watchOfLimit } from '../../billing/usage/alert.ts';
import type { Tx } from '../../db/connect.ts';
import { billingPeriodUnits } from '../../db/sql/usage/billing-period-units.ts';
import { nameOfReached } from '../../db/sql/usage/note-reached.ts';
import { reachedSteps } from '../../db/sql/usage/reached-steps.ts';
import { periodPlace, type Watching } from './watched-value.ts';

type Part = Omit<OpenPart, 'bounds'>;

/**
 * Adds to open periods the amounts that their usage must not reach unnoticed: just above each limit of money, and the
 * next level of each alert that isn't announced there yet.
 *
 * @param watching of this customer alone
 */
export async function withBounds(tx: Tx, parts: readonly Part[], watching: Watching): Promise<OpenPart[]> {
  const watches = [
    ...watching.alerts.filter(({ on }) => on === 'spend').map(watchOfAlert),
    ...watching.limits.filter(({ action, amount }) => action === 'tell' && amount !== null).map(watchOfLimit),
  ];
  const keys = parts.map(({ period: { contractId, idx } }) => ({ contractId, idx, slug: '' }));
  const places = watches.length === 0 ? [] : (await billingPeriodUnits(tx, keys)).map(({ first }) => periodPlace(first));
  const known = await reachedSteps(
    tx,
    watches.map(({ id }) => id),
    places,
  );
  const named = parts.map((part, at) => ({ part, place: places[at] ?? '' }));
  return named.map((one) => {
    const tells = watches.flatMap((watch) => {
      const also = watch.slug === null ? alsoOf(one.part, named) : [];
      return nextOf(watch, one.part, watching, (step) =>
        [one.place, ...also].every((place) => known.has(nameOfReached({ watchId: watch.id, step, place }))),
      );
    });
    return { ...one.part, bounds: [...limitsOf(one.part, watching), ...tells] };
  });
}

/** Where else a step on all contracts together is noted: in the running periods of the others. */
function alsoOf({ contract, isRunning }: Part, named: readonly { part: Part; place: string }[]): string[] {
  if (!isRunning || contract.currentIdx === null) return [];
  return named.flatMap(({ part: { contract: other, isRunning: runs }, place }) =>
    runs && other.currentIdx !== null && other.id !== contract.id && other.terms.currency === contract.terms.currency ? [place] : [],
  );
}

function limitsOf({ contract }: Part, { limits }: Watching): SpendBound[] {
  return limits.flatMap(({ action, slug, amount }) =>
    action === 'refuse' && amount !== null ? [{ slug, below: text(justAbove(amount, contract.terms.currency)) }] : [],
  );
}

function nextOf(watch: Watch, { contract }: Part, { limits }: Watching, isKnown: (step: string) => boolean): SpendBound[] {
  const next = levelsOf(watch, baseOf(watch, limits, null)).find(({ step }) => !isKnown(step));
  if (next === undefined) return [];
  const below = watch.source === 'alert' ? next.level : text(justAbove(next.level, contract.terms.currency));
  return [{ slug: watch.slug, below }];
}
