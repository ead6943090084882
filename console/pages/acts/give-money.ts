import { at, type Instant } from '../../../billing/calendar/instant.ts';
import { dec } from '../../../billing/money/decimal.ts';
import { BillingError, type FieldProblem } from '../../../billing/problem.ts';
import type { CustomerRecord } from '../../../db/customer/customer.ts';
import { readCustomer } from '../../../db/customer/read.ts';
import { nowOf } from '../../../db/sql/clock/now-of.ts';
import type { Form } from '../../../portal/http/form.ts';
import { hiddenField, textField } from '../../../portal/parts/form.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { selectField } from '../../../portal/parts/select.ts';
import {
  checkedGift,
  currenciesFrom,
  currencyNamed,
  type Gift,
  type GiftTarget,
  giftEffect,
  giveAsShown,
} from '../../../services/console/give-money.ts';
import { usualCurrency } from '../../../services/portal/methods.ts';
import { type ConsoleResponse, goTo, noSuchPage } from '../../http/response.ts';
import { onAct } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { isConsoleKey } from '../../messages/pages.ts';
import { customerAddress, upToCustomer } from '../links.ts';
import { choicePage } from './choice.ts';
import { confirmPage } from './confirm.ts';

const FIELDS = ['amount', 'currency', 'description', 'expires', 'direction'];

/** What a vendor gives a customer: prepaid credits, or money in its wallet, which may be taken back too. */
export const giveMoneyActs = [
  ...onAct(
    '/customer/:id/grant',
    (visit) => ask(visit, 'credits'),
    (visit, form) => give(visit, 'credits', form),
    FIELDS,
  ),
  ...onAct(
    '/customer/:id/wallet',
    (visit) => ask(visit, 'wallet'),
    (visit, form) => give(visit, 'wallet', form),
    FIELDS,
  ),
];

/** First asks how much, then shows what that pays at once. */
async function ask(visit: Visit, target: GiftTarget): Promise<ConsoleResponse> {
  const { db, visitor, param, query } = visit;
  const customer = await readCustomer(db.em(), visitor.vendorId, param('id'));
  if (customer === null) return noSuchPage;
  if (query('next') === '') return askForGift(visit, target, customer, new Map());
  try {
    const gift = await giftOf(visit, target, customer, query);
    return gift === null ? noSuchPage : await askToGive(visit, target, customer, gift);
  } catch (error) {
    if (!(error instanceof BillingError)) throw error;
    return askForGift(visit, target, customer, errorsOf(visit, error.problems));
  }
}

async function askForGift(
  visit: Visit,
  target: GiftTarget,
  customer: CustomerRecord,
  errors: ReadonlyMap<string, string>,
): Promise<ConsoleResponse> {
  const { t, query } = visit;
  const field = (name: 'amount' | 'description' | 'expires', required = false): Html =>
    textField({
      name,
      label: t(`gift.${name}`),
      hint: t(name === 'description' ? `gift.description_${target}` : `gift.${name}_hint`),
      value: query(name),
      error: errors.get(name),
      required,
    });
  const currencies = currenciesFrom(await usualCurrency(visit.db.em(), { vendorId: customer.vendorId, customerId: customer.id }));
  const options = currencies.map((value) => ({ value, text: value.toUpperCase() }));
  const directions = (['give', 'take'] as const).map((value) => ({ value, text: t(`gift.direction_${value}`) }));
  return choicePage(visit, {
    title: t(`gift.${target}`),
    up: upToCustomer(visit, customer),
    intro: html`<p>${t(`gift.${target}_text`)}</p>`,
    fields: html`${hiddenField('next', 'yes')}
${target === 'wallet' ? selectField({ name: 'direction', label: t('gift.direction'), value: query('direction'), options: directions }) : null}
${field('amount', true)}${selectField({ name: 'currency', label: t('gift.currency'), value: query('currency'), options })}
${field('description', target === 'wallet')}${target === 'credits' ? field('expires') : null}`,
    button: t('act.look'),
    errors,
  });
}

/** What was typed, checked; null where no field of ours was sent. */
async function giftOf(
  { db }: Visit,
  target: GiftTarget,
  { clockId }: CustomerRecord,
  text: (name: string) => string,
): Promise<Gift | null> {
  const currency = currencyNamed(text('currency'));
  if (currency === null) return null;
  const expires = text('expires');
  const expiresAt: Instant | null = target === 'wallet' || expires === '' ? null : at(`${expires}T00:00:00Z`, 'expires');
  const isTakenBack = target === 'wallet' && text('direction') === 'take';
  const gift = { amount: text('amount'), currency, description: text('description'), expiresAt, isTakenBack };
  return checkedGift(target, gift, await nowOf(db, clockId));
}

function errorsOf({ t }: Visit, problems: readonly FieldProblem[]): Map<string, string> {
  const names: Readonly<Record<string, string>> = {
    amount: t('gift.amount'),
    description: t('gift.description'),
    expires: t('gift.expires'),
  };
  return new Map(
    problems.map(({ field, code, message }) => {
      const key = field === 'expires' && code !== 'past_date' ? 'wrong.day' : `wrong.${code}`;
      return [field, isConsoleKey(key) ? t(key, { name: names[field] ?? field }) : message];
    }),
  );
}

async function askToGive(visit: Visit, target: GiftTarget, customer: CustomerRecord, gift: Gift): Promise<ConsoleResponse> {
  const { t, format, query } = visit;
  const { amount, currency, expiresAt, isTakenBack, description } = gift;
  const { pays, rest, shown } = await giftEffect(visit.db, customer, target, gift);
  const money = (value: string): string => format.money(value, currency);
  const title = isTakenBack ? t('gift.taken_back') : t(`gift.${target}`);
  const effect = html`<dl class="sums"><dt class="total">${t(isTakenBack ? 'gift.taken_back' : 'gift.given')}</dt><dd class="total">${money(amount)}</dd>
${dec(pays).gt(0) ? html`<dt>${t('gift.pays')}</dt><dd>${money(pays)}</dd>` : null}
${isTakenBack ? null : html`<dt>${t('gift.rest')}</dt><dd>${money(rest)}</dd>`}
${target === 'wallet' ? null : html`<dt>${t('gift.expires')}</dt><dd>${expiresAt === null ? t('gift.never') : format.moment(expiresAt)}</dd>`}
${description === '' ? null : html`<dt>${t('gift.description')}</dt><dd>${description}</dd>`}</dl>`;
  return confirmPage(visit, {
    title,
    up: upToCustomer(visit, customer),
    effect,
    fields: html`${FIELDS.filter((name) => query(name) !== '').map((name) => hiddenField(name, query(name)))}${hiddenField('shown', shown)}`,
    button: t(isTakenBack ? 'gift.take_button' : 'gift.give_button', { amount: money(amount) }),
  });
}

async function give(visit: Visit, target: GiftTarget, form: Form): Promise<ConsoleResponse> {
  const { db, visitor, asker, param } = visit;
  const customer = await readCustomer(db.em(), visitor.vendorId, param('id'));
  if (customer === null) return noSuchPage;
  const gift = await giftOf(visit, target, customer, form.text);
  if (gift === null) return { kind: 'fixed', page: 'form', status: 400 };
  await giveAsShown({ db, asker }, customer, { target, gift, shown: form.text('shown') });
  return goTo(customerAddress(customer.id), { key: gift.isTakenBack ? 'gift.take_done' : `gift.${target}_done` });
}
