import { planName } from '../../../billing/contract/period/sources.ts';
import { whenAt } from '../../../billing/contract/period/time.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { type FixedEstimate, openEstimate } from '../../../services/contract/estimate-token.ts';
import { confirmChange, reviewInput, wasMade } from '../../../services/portal/change.ts';
import { type OwnContract, readOwnContract } from '../../../services/portal/own-contract.ts';
import type { Form } from '../../http/form.ts';
import { goTo, noSuchPage, type PortalResponse } from '../../http/response.ts';
import type { Visit } from '../../http/visit.ts';
import { contractAddress, readOnlyPage } from './own.ts';
import { refusedPage, reviewPage } from './show.ts';

/** What the form sends as shown; the sum of several lines may be longer than one amount. */
const AMOUNT = /^\d{1,40}(\.\d{1,12})?$/;

const brokenForm: PortalResponse = { kind: 'fixed', page: 'form', status: 400 };

/** Makes the change that a page has shown, by its estimate's token, once. */
export async function confirm(visit: Visit, form: Form): Promise<PortalResponse> {
  const contractId = visit.param('id');
  const found = await readOwnContract(visit.db, visit.visitor, contractId);
  if (found === null) return noSuchPage;
  const fixed = openEstimate(visit.parts.secret, visit.visitor.customerId, form.text('estimate'));
  const shown = form.text('shown');
  if (fixed === null || fixed.basis.contractId !== contractId || !AMOUNT.test(shown)) return brokenForm;
  if (found.type === 'elsewhere') return changedBefore(visit, fixed, found.contractId);
  const { own } = found;
  if (own.readOnly !== null) return readOnlyPage(visit, own, own.readOnly, 409);
  try {
    return await make(visit, own, fixed, shown);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'contract_not_live' || error.code === 'contract_ended') return changedBefore(visit, fixed, contractId);
    if (error.code === 'estimate_outdated') return lookAgain(visit, own, fixed, shown);
    return refusedPage(visit, own, error);
  }
}

/** The second of two tabs: what the first one did is done once. */
async function changedBefore({ db }: Visit, { basis }: FixedEstimate, contractId: string): Promise<PortalResponse> {
  const isSame = await wasMade(db, basis.newContractId);
  return goTo(contractAddress(contractId), { key: isSame ? 'change.done_before' : 'change.changed_elsewhere' });
}

async function make(visit: Visit, own: OwnContract, fixed: FixedEstimate, shown: string): Promise<PortalResponse> {
  const { contractId, isRepeat } = await confirmChange(
    { db: visit.db, plans: visit.look.plans },
    visit.visitor,
    visit.asker,
    own,
    fixed,
    shown,
  );
  const made = await readOwnContract(visit.db, visit.visitor, contractId);
  if (made === null) return noSuchPage;
  const isNewPlan = fixed.input.strategy === 'new_plan';
  if (made.type === 'elsewhere') {
    const note = {
      key: isNewPlan ? 'change.done_later' : 'change.done_units_later',
      values: await planned(visit, made.contractId),
    } as const;
    return goTo(contractAddress(made.contractId), isRepeat ? { key: 'change.done_before' } : note);
  }
  const note = {
    key: isNewPlan ? 'change.done_now' : 'change.done_units',
    values: { plan: planName(made.own.snapshot.contract.terms) },
  } as const;
  return goTo(contractAddress(contractId), isRepeat ? { key: 'change.done_before' } : note);
}

/** The plan of a change that waits, and when it happens. */
async function planned(visit: Visit, contractId: string): Promise<{ plan: string; at: string }> {
  const found = await readOwnContract(visit.db, visit.visitor, contractId);
  if (found?.type !== 'own') return { plan: '', at: '' };
  const { contract, successor, customer } = found.own.snapshot;
  const at = contract.pendingChange && whenAt(contract, contract.pendingChange.when, customer.pauses);
  return { plan: planName((successor ?? contract).terms), at: visit.format.moment(at ?? found.own.now) };
}

/** The estimate doesn't hold any more: nothing was done, and the amounts of now are shown. */
async function lookAgain(visit: Visit, own: OwnContract, { input }: FixedEstimate, shown: string): Promise<PortalResponse> {
  try {
    const review = await reviewInput({ db: visit.db, estimates: visit.parts.estimates }, own, input);
    return reviewPage(visit, review, shown);
  } catch (error) {
    if (error instanceof Refusal) return refusedPage(visit, own, error);
    throw error;
  }
}
