import type { Contract } from '../../../billing/contract/types.ts';
import { BillingError } from '../../../billing/problem.ts';
import type { Form } from '../../../portal/http/form.ts';
import { ownedContract } from '../../../services/console/contract.ts';
import { openEstimate } from '../../../services/contract/estimate-token.ts';
import { type ChangeChoice, changeInputOf, confirmChange, reviewChange, UNITS_FIELD } from '../../../services/portal/change.ts';
import { type PortalOffer, portalOffers } from '../../../services/portal/offers.ts';
import { type OwnContract, readOwnContract } from '../../../services/portal/own-contract.ts';
import { type ConsoleResponse, goTo, noSuchPage } from '../../http/response.ts';
import { onAct } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { contractAddress } from '../links.ts';
import { isAmount } from './amount.ts';
import { askForPlan, askForUnits, askToChange, notNow, OWN } from './change-view.ts';
import { unitErrors, unitsTyped } from './unit-fields.ts';

/** Pages that change a contract: to another plan, or to other units. */
export const changeActs = onAct('/contract/:id/change', ask, change, ['to', 'when', UNITS_FIELD, 'shown']);

/** A contract of the vendor, as the one who changes it sees it; null for none. */
async function contractToChange(visit: Visit): Promise<{ own: OwnContract } | { elsewhere: string } | null> {
  const { db, visitor, param } = visit;
  const contract: Contract | null = await ownedContract(db.em(), visitor.vendorId, param('id'));
  const found = contract === null ? null : await readOwnContract(db, contract, contract.id);
  if (found === null) return null;
  return found.type === 'own' ? { own: found.own } : { elsewhere: found.contractId };
}

/** First asks for the plan, then for units and time, then shows what that comes to. */
async function ask(visit: Visit): Promise<ConsoleResponse> {
  const found = await contractToChange(visit);
  if (found === null) return noSuchPage;
  if ('elsewhere' in found) return goTo(`${contractAddress(found.elsewhere)}/change`);
  const { own } = found;
  const { query } = visit;
  if (own.readOnly !== null) return notNow(visit, own, own.readOnly);
  const offers = await offersFor(visit, own);
  const offer = offerNamed(offers, query('to'));
  if (offer === undefined) return askForPlan(visit, own, offers);
  if (query('next') === '') return askForUnits(visit, own, offer, new Map());
  try {
    return askToChange(visit, offer, await reviewChange(reviewParts(visit), own, choiceOf(offer, query)));
  } catch (error) {
    if (!(error instanceof BillingError)) throw error;
    const errors = unitErrors(visit, offer.units, error.problems);
    if (errors.size === 0) throw error;
    return askForUnits(visit, own, offer, errors);
  }
}

/** All plans that are sold in the contract's currency, also those that customers can't choose themselves. */
const reviewParts = ({ db, parts }: Visit) => ({ db, estimates: parts.estimates, plans: null });

async function offersFor({ db }: Visit, { snapshot }: OwnContract): Promise<PortalOffer[]> {
  const { own, others } = await portalOffers(db.em(), snapshot, null);
  return own.units.length === 0 ? others : [own, ...others];
}

const offerNamed = (offers: readonly PortalOffer[], name: string): PortalOffer | undefined =>
  name === '' ? undefined : offers.find(({ pricingId }) => (pricingId ?? OWN) === name);

function choiceOf(offer: PortalOffer, text: (name: string) => string): ChangeChoice {
  const when = text('when');
  const choice = { pricingId: offer.pricingId, units: unitsTyped(offer.units, text) };
  return when === 'now' || when === 'next_cycle' ? { ...choice, when } : choice;
}

/** Makes the change of the estimate that was shown, once, where it is the one that the form names. */
async function change(visit: Visit, form: Form): Promise<ConsoleResponse> {
  const { db, parts, visitor, asker, param } = visit;
  const contract = await ownedContract(db.em(), visitor.vendorId, param('id'));
  if (contract === null) return noSuchPage;
  const fixed = openEstimate(parts.secret, visitor.vendorId, form.text('estimate'));
  const shown = form.text('shown');
  if (fixed === null || fixed.basis.contractId !== contract.id || !isAmount(shown)) return { kind: 'fixed', page: 'form', status: 400 };
  const found = await readOwnContract(db, contract, contract.id);
  if (found?.type === 'own' && !(await isSame(visit, found.own, form, fixed.input))) return { kind: 'fixed', page: 'form', status: 400 };
  const own = found?.type === 'own' ? found.own : null;
  const made = await confirmChange({ db, plans: null }, contract, asker, own, fixed, shown);
  return goTo(contractAddress(made.contractId), { key: made.isRepeat ? 'sale.changed_before' : 'sale.changed' });
}

/** The audit log keeps what the form names, so that has to be what is done. */
async function isSame(visit: Visit, own: OwnContract, form: Form, input: unknown): Promise<boolean> {
  const offer = offerNamed(await offersFor(visit, own), form.text('to'));
  return offer !== undefined && JSON.stringify(changeInputOf(offer, choiceOf(offer, form.text))) === JSON.stringify(input);
}
