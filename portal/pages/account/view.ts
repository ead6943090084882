import { LANGUAGES } from '../../../db/customer/language.ts';
import type { Visit } from '../../http/visit.ts';
import { actForm, errorSummary, hiddenField, textField } from '../../parts/form.ts';
import { type Html, html } from '../../parts/html.ts';
import { selectField } from '../../parts/select.ts';
import { countriesIn, countryName } from './countries.ts';
import { type AccountEntries, type AccountErrors, type AccountField, ADDRESS_FIELDS, type AddressPlace } from './entries.ts';

export interface AccountForm {
  entries: AccountEntries;
  errors: AccountErrors;
  /** of the data that the form was made from */
  version: string;
  /** somebody else has changed the data since the form was made */
  isOutdated: boolean;
}

/** The customer's own data, to be changed; of a paused account, to be read. */
export function accountContent(visit: Visit, form: AccountForm): Html {
  const { t, customer } = visit;
  const head = html`<div class="title"><h1>${t('account.title')}</h1></div>`;
  if (customer.status === 'inactive') return html`${head}${factsOf(visit, form.entries)}`;
  const errors = [...form.errors].map(([field, key]) => [field, errorText(visit, form.entries, key)] as const);
  const texts = new Map<string, string>(form.isOutdated ? [['name', t('account.outdated')], ...errors] : errors);
  const fields = new Fields(visit, form.entries, new Map(errors));
  return html`${head}${errorSummary(t('frame.errors_title', { count: texts.size }), texts)}
${actForm({
  action: '/portal/account',
  csrf: visit.csrf,
  content: html`${hiddenField('version', form.version)}${aboutYou(fields)}${addressSection(fields, 'address')}
${form.entries.has('billing_address.country') ? addressSection(fields, 'billing_address') : null}${taxSection(fields)}
<div class="actions"><button type="submit" class="main">${t('account.confirm')}</button><a class="button" href="/portal">${t('message.back')}</a></div>`,
})}`;
}

const errorText = ({ t, language }: Visit, entries: AccountEntries, key: Parameters<Visit['t']>[0]): string =>
  t(key, { country: countryName(entries.get('address.country') ?? '', language) });

/** Makes fields with what stands in them and what is wrong with it. */
class Fields {
  readonly visit: Visit;
  readonly #entries: AccountEntries;
  readonly #errors: ReadonlyMap<AccountField, string>;

  constructor(visit: Visit, entries: AccountEntries, errors: ReadonlyMap<AccountField, string>) {
    this.visit = visit;
    this.#entries = entries;
    this.#errors = errors;
  }

  /** What both kinds of fields have. */
  #common(name: AccountField, label: string, hint: string | undefined) {
    return { name, label, hint, value: this.#entries.get(name) ?? '', error: this.#errors.get(name) };
  }

  text(name: AccountField, label: string, more: { hint?: string; autocomplete?: string; type?: 'email'; required?: boolean } = {}): Html {
    const { hint, ...rest } = more;
    return textField({ ...this.#common(name, label, hint), ...rest });
  }

  select(name: AccountField, label: string, options: Options, more: { hint?: string; autocomplete?: string } = {}): Html {
    const { hint, ...rest } = more;
    const common = this.#common(name, label, hint);
    const isListed = options.some(({ value }) => value === common.value);
    return selectField({ ...common, ...rest, options: isListed ? options : [...options, { value: common.value, text: common.value }] });
  }
}

type Options = readonly { value: string; text: string }[];

function aboutYou(fields: Fields): Html {
  const { t } = fields.visit;
  const languages = LANGUAGES.map((value) => ({ value, text: t(`frame.language_${value}`) }));
  return html`<section aria-labelledby="you"><div class="head"><h2 id="you">${t('account.you_title')}</h2></div>
${fields.text('name', t('account.name'), { hint: t('account.name_hint'), autocomplete: 'organization', required: true })}
${fields.text('email', t('account.email'), { autocomplete: 'email', type: 'email' })}
${fields.text('billing_email', t('account.billing_email'), { hint: t('account.billing_email_hint'), type: 'email' })}
${fields.select('language', t('account.language'), [{ value: '', text: t('account.language_any') }, ...languages])}</section>
`;
}

const AUTOCOMPLETE = {
  line_1: 'address-line1',
  line_2: 'address-line2',
  zip: 'postal-code',
  city: 'address-level2',
  state: 'address-level1',
  country: 'country',
} as const;

function addressSection(fields: Fields, place: AddressPlace): Html {
  const { t, language } = fields.visit;
  const countries = countriesIn(language).map(({ code, name }) => ({ value: code, text: name }));
  const fieldOf = (part: (typeof ADDRESS_FIELDS)[number]): Html => {
    const name = `${place}.${part}` as const;
    const autocomplete = place === 'address' ? AUTOCOMPLETE[part] : `billing ${AUTOCOMPLETE[part]}`;
    const label = t(`account.${part}`);
    if (part !== 'country') return fields.text(name, label, { autocomplete });
    const hint = place === 'address' ? { hint: t('account.country_hint') } : {};
    return fields.select(name, label, [{ value: '', text: t('account.country_none') }, ...countries], { autocomplete, ...hint });
  };
  return html`<section aria-labelledby="${place}"><div class="head"><h2 id="${place}">${t(`account.${place}_title`)}</h2></div>
${fieldOf('line_1')}${fieldOf('line_2')}<div class="pair">${fieldOf('zip')}${fieldOf('city')}</div>${fieldOf('state')}${fieldOf('country')}</section>
`;
}

function taxSection(fields: Fields): Html {
  const { t } = fields.visit;
  return html`<section aria-labelledby="tax"><div class="head"><h2 id="tax">${t('account.tax_title')}</h2></div>
${fields.text('vat_id', t('account.vat_id'), { hint: t('account.vat_id_hint') })}</section>
`;
}

/** What is stored, without fields. */
function factsOf({ t, language }: Visit, entries: AccountEntries): Html {
  const address = ADDRESS_FIELDS.map((part) => entries.get(`address.${part}`) ?? '');
  const lines = [...address.slice(0, -1), countryName(address.at(-1) ?? '', language)].filter((line) => line !== '');
  const facts = [
    [t('account.name'), entries.get('name')],
    [t('account.email'), entries.get('email')],
    [t('account.billing_email'), entries.get('billing_email')],
    [t('account.address_title'), lines.join(', ')],
    [t('account.vat_id'), entries.get('vat_id')],
  ] as const;
  return html`<section aria-labelledby="you"><div class="head"><h2 id="you">${t('account.you_title')}</h2></div>
<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value || '–'}</dd>`)}</dl></section>
`;
}
