import type { Cycle } from '../../calendar/cycle.ts';
import { isPeriodic } from '../../calendar/cycle.ts';
import type { Instant } from '../../calendar/instant.ts';
import type { Pause } from '../../calendar/pauses.ts';
import { checkOffset } from '../../calendar/rhythm.ts';
import { contractMachine } from '../../lifecycle/contract.ts';
import { initialState } from '../../lifecycle/machine.ts';
import { BillingError, type FieldProblem } from '../../problem.ts';
import { refuse } from '../../refusal.ts';
import { copiedPauseRules, type GivenPauseRules } from '../period/pause-rules.ts';
import { agendaOf } from '../period/schedule.ts';
import { isFrozen, plannedTrialEnd } from '../period/time.ts';
import type { AgendaRow, Configuration, Contract, ContractDiscount, NewId, Terms } from '../types.ts';
import { copiedRules, type GivenChangeRules } from './change-rules.ts';
import { notBegun } from './not-begun.ts';
import type { Offer } from './offer.ts';
import { goingOn, type ImportStanding } from './standing.ts';
import { buildTerms, type Overrides } from './terms.ts';
import { checkThreshold, thresholdIn, thresholdOf } from './threshold.ts';

/** A discount of the catalogue, as it is given to a contract. */
export type GivenDiscount = Omit<ContractDiscount, 'id' | 'cyclesBefore'>;

/** Settings given at one place; null or absent = take the next place: contract → customer → vendor. */
export type PartialConfiguration = { [Key in keyof Configuration]?: Configuration[Key] | null };

/** Everything a contract is made of. What is null falls back to the plan, the pricing or the instant of signing. */
export interface SignRequest {
  vendorId: string;
  customerId: string;
  clockId: string | null;
  offer: Offer;
  overrides: Overrides;
  discount: GivenDiscount | null;
  activation: Instant | null;
  isPending: boolean;
  expiration: Instant | null;
  trialDays: number | null;
  freeCycles: number | null;
  offset: number | null;
  configuration: PartialConfiguration;
  /** defaults in the order in which they are looked up */
  customerConfiguration: PartialConfiguration;
  vendorConfiguration: Configuration;
  /** rules of this contract alone, and those of its vendor; between them come the plan's */
  changeRules: GivenChangeRules;
  vendorChangeRules: GivenChangeRules;
  /** its vendor's pause rules; before them come the plan's */
  vendorPauseRules: GivenPauseRules;
  /** of an imported contract: where another system has left it; absent: it begins here */
  standing?: ImportStanding;
}

/** What signing a contract writes; everything else follows from its first step, `advance`. */
export interface Signed {
  contract: Contract;
  agenda: AgendaRow[];
}

/** A new vendor's preferences: what its contracts fall back to until it says otherwise. */
export const DEFAULT_CONFIGURATION: Configuration = {
  automaticPayment: true,
  dueDatePolicy: 'start_of_period',
  netDays: 0,
  invoiceTrigger: 'immediate',
  usagePeriodClosingPolicy: 'automatic',
  onTrialEnd: 'continue',
  onDunningEnd: 'continue',
  invoiceThreshold: null,
};

const MOST_DAYS = 36_500;

/**
 * Signs a contract: the terms are copied, the settings fall back contract → customer → vendor. The contract is
 * `not_ready` until its first step has been carried out by `advance`, which makes it pending, scheduled or active.
 *
 * @throws BillingError with every problem, under the wire names of the fields
 * @throws Refusal `customer_frozen`
 * @example
 * const request = signRequest(plan('pro', { price: '100', trialDays: 14 }));
 * planSigning(request, at('2025-01-01'), { newId }).contract.trialEnd // at('2025-01-15')
 */
export function planSigning(request: SignRequest, now: Instant, { newId, pauses = [] }: { newId: NewId; pauses?: Pause[] }): Signed {
  if (isFrozen(pauses)) refuse('customer_frozen', 'the customer is frozen; activate it first');
  const activation = request.isPending ? null : (request.activation ?? now);
  const trialDays = request.trialDays ?? request.offer.plan.freeTrialDays;
  const freeCycles = request.freeCycles ?? request.offer.pricing.freeCycles;
  const problems = problemsOf(request, { activation: activation ?? now, trialDays, freeCycles });
  if (problems.length > 0) throw new BillingError(problems);

  const id = newId('Cont');
  const terms = buildTerms(request.offer, request.overrides, newId);
  const given = configurationOf(request);
  requireThreshold(terms, given);
  const configuration = given.invoiceThresholdFrom === 'contract' ? given : thresholdIn(terms.currency, given);
  const fresh: Contract = {
    id,
    vendorId: request.vendorId,
    customerId: request.customerId,
    clockId: request.clockId,
    rootId: id,
    predecessorId: null,
    isSuccessor: false,
    status: initialState(contractMachine, 'sign'),
    terms,
    discount: request.discount && { ...request.discount, id: newId('Disc'), cyclesBefore: 0 },
    configuration,
    changeRules: copiedRules({ contract: request.changeRules, plan: request.offer.plan.changeRules, vendor: request.vendorChangeRules }),
    pauseRules: copiedPauseRules({ plan: request.offer.plan.pauseRules, vendor: request.vendorPauseRules }),
    freeCycles,
    created: now,
    activation,
    trialDays,
    trialEnd: plannedTrialEnd(activation, trialDays),
    trialEndingSent: false,
    expiration: request.expiration === null ? null : { at: request.expiration, setAt: now },
    offset: request.offset,
    cyclesBefore: 0,
    cyclesLeft: null,
    ...notBegun(),
  };
  const contract = request.standing === undefined ? fresh : goingOn(fresh, request.standing, now, pauses);
  return { contract, agenda: agendaOf(contract, [], pauses) };
}

/** The settings of a contract: each from the first place that gives it, of contract, customer and vendor. */
export function configurationOf(
  request: Pick<SignRequest, 'configuration' | 'customerConfiguration' | 'vendorConfiguration'>,
): Configuration {
  const { configuration: own, customerConfiguration: customer, vendorConfiguration: vendor } = request;
  return {
    automaticPayment: own.automaticPayment ?? customer.automaticPayment ?? vendor.automaticPayment,
    dueDatePolicy: own.dueDatePolicy ?? customer.dueDatePolicy ?? vendor.dueDatePolicy,
    netDays: own.netDays ?? customer.netDays ?? vendor.netDays,
    invoiceTrigger: own.invoiceTrigger ?? customer.invoiceTrigger ?? vendor.invoiceTrigger,
    usagePeriodClosingPolicy: own.usagePeriodClosingPolicy ?? customer.usagePeriodClosingPolicy ?? vendor.usagePeriodClosingPolicy,
    onTrialEnd: own.onTrialEnd ?? customer.onTrialEnd ?? vendor.onTrialEnd,
    onDunningEnd: own.onDunningEnd ?? customer.onDunningEnd ?? vendor.onDunningEnd,
    ...thresholdOf({ contract: own, customer, vendor }),
  };
}

/** @throws BillingError `threshold_not_possible`, `too_many_digits` */
function requireThreshold(terms: Terms, configuration: Configuration): void {
  const { invoiceThresholdFrom: place } = configuration;
  const fix = place === 'contract' ? 'leave the threshold out' : `give null, which turns the ${place}’s threshold off for this contract`;
  const problems = checkThreshold(terms, configuration, { field: 'invoice_threshold', fix });
  if (problems.length > 0) throw new BillingError(problems);
}

function problemsOf(request: SignRequest, resolved: { activation: Instant; trialDays: number; freeCycles: number }): FieldProblem[] {
  const { cycle, currency } = request.offer.pricing;
  const { discount, expiration, isPending } = request;
  const problems = [...checkOffset(cycle, request.offset), ...checkCounts(resolved)];
  if (isPending && request.activation !== null) {
    problems.push({
      field: 'activation',
      code: 'activation_of_pending',
      message: 'leave it out of a pending contract: give it when you activate it',
    });
  }
  if (expiration !== null && expiration <= resolved.activation) {
    problems.push({ field: 'expiration', code: 'expires_before_activation', message: 'give an instant after the activation' });
  }
  if (discount?.type === 'flat' && discount.currency !== currency) {
    problems.push({ field: 'discount_id', code: 'discount_currency', message: `give a discount in ${currency}, or a percentage` });
  }
  problems.push(...checkDuration(cycle, discount));
  return problems;
}

function checkDuration(cycle: Cycle, discount: GivenDiscount | null): FieldProblem[] {
  if (discount === null || discount.duration >= 1 || !isPeriodic(cycle)) return [];
  return [{ field: 'discount_id', code: 'invalid_count', message: 'give a discount of at least one cycle' }];
}

function checkCounts({ trialDays, freeCycles }: { trialDays: number; freeCycles: number }): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const isCount = (value: number, most: number): boolean => Number.isInteger(value) && value >= 0 && value <= most;
  if (!isCount(trialDays, MOST_DAYS)) {
    problems.push({ field: 'free_trial_days', code: 'invalid_count', message: `give whole days from 0 to ${MOST_DAYS}` });
  }
  if (!isCount(freeCycles, Number.MAX_SAFE_INTEGER)) {
    problems.push({ field: 'free_cycles', code: 'invalid_count', message: 'give a whole number of cycles from 0' });
  }
  return problems;
}
