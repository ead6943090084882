import { isMemberState, isVatIdForm } from '../../../billing/invoice/vat-id.ts';
import { LANGUAGES } from '../../../db/customer/language.ts';
import type { Address } from '../../../db/entities/vendor.ts';
import type { AccountData } from '../../../services/portal/account.ts';
import type { Form } from '../../http/form.ts';
import type { MessageKey } from '../../messages/pages.ts';
import { isCountry } from './countries.ts';

/** The fields of an address in the form: the main one, and the one that the vendor calls `billing`. */
export const ADDRESS_FIELDS = ['line_1', 'line_2', 'zip', 'city', 'state', 'country'] as const;
export type AddressPlace = 'address' | 'billing_address';
const PLAIN_FIELDS = ['name', 'email', 'billing_email', 'language', 'vat_id'] as const;
type PlainField = (typeof PLAIN_FIELDS)[number];
export type AccountField = PlainField | `${AddressPlace}.${(typeof ADDRESS_FIELDS)[number]}`;

/** What stands in the fields, as it was stored or typed. */
export type AccountEntries = ReadonlyMap<AccountField, string>;
export type AccountErrors = ReadonlyMap<AccountField, MessageKey>;

/** The fields in the order of the page: those of the billing address only where the customer has one. */
const fieldsOf = ({ billingAddress }: AccountData): AccountField[] => [
  ...PLAIN_FIELDS.slice(0, -1),
  ...ADDRESS_FIELDS.map((field) => `address.${field}` as const),
  ...(billingAddress === null ? [] : ADDRESS_FIELDS.map((field) => `billing_address.${field}` as const)),
  'vat_id',
];

export const entriesOf = (account: AccountData): AccountEntries =>
  new Map(fieldsOf(account).map((field) => [field, storedText(account, field)]));

export const typedEntries = (account: AccountData, form: Form): AccountEntries =>
  new Map(fieldsOf(account).map((field) => [field, form.text(field)]));

function storedText(account: AccountData, field: AccountField): string {
  const { name, email, billingEmail, vatId, language, address, billingAddress } = account;
  const plain = { name, email, billing_email: billingEmail, vat_id: vatId, language: language ?? '' };
  if (isPlain(field)) return plain[field];
  const stored = field.startsWith('billing_address.') ? billingAddress : address;
  return stored?.[field.split('.')[1] as keyof Address] ?? '';
}

const isPlain = (field: AccountField): field is PlainField => (PLAIN_FIELDS as readonly string[]).includes(field);

const LONGEST = 200;
const LONGEST_EMAIL = 320;
const LONGEST_VAT_ID = 50;
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** What is wrong with the fields, by field in the order of the page; each message says what to do. */
export function errorsIn(entries: AccountEntries, before: AccountData): AccountErrors {
  const stored = entriesOf(before);
  const found = [...entries.keys()].map((field) => [field, wrongWith(field, entries, stored)] as const);
  return new Map(found.flatMap(([field, message]) => (message === null ? [] : [[field, message] as const])));
}

function wrongWith(field: AccountField, entries: AccountEntries, stored: AccountEntries): MessageKey | null {
  const text = entries.get(field) ?? '';
  // what was there before may stay, also when it would not be accepted today
  if (text === stored.get(field) && !needsCheck(field, entries, stored)) return null;
  switch (field) {
    case 'name':
      return text === '' ? 'account.name_missing' : tooLong(text, LONGEST);
    case 'email':
    case 'billing_email':
      return wrongEmail(text, field === 'email' && stored.get(field) !== '');
    case 'vat_id':
      return wrongVatId(text, entries.get('address.country') ?? '');
    case 'language':
      return text === '' || (LANGUAGES as readonly string[]).includes(text) ? null : 'account.language_wrong';
    default:
      return wrongInAddress(field, entries, stored);
  }
}

/** A VAT id depends on the country; a part of an address on whether there is one. */
const needsCheck = (field: AccountField, entries: AccountEntries, stored: AccountEntries): boolean =>
  field === 'vat_id' ? entries.get('address.country') !== stored.get('address.country') : !isPlain(field);

const tooLong = (text: string, longest: number): MessageKey | null => (text.length > longest ? 'account.too_long' : null);

function wrongEmail(text: string, isRequired: boolean): MessageKey | null {
  if (text === '') return isRequired ? 'account.email_missing' : null;
  return EMAIL.test(text) ? tooLong(text, LONGEST_EMAIL) : 'account.email_wrong';
}

/** Only the form is checked, and only for member states of the European Union, whose forms are known. */
function wrongVatId(text: string, country: string): MessageKey | null {
  if (text === '') return null;
  if (isMemberState(country) && !isVatIdForm(text, country)) return 'account.vat_id_wrong';
  return tooLong(text, LONGEST_VAT_ID);
}

const REQUIRED = { line_1: 'account.line_1_missing', city: 'account.city_missing', country: 'account.country_missing' } as const;

/** An address that was there can't be taken away; a new one needs street, city and country. */
function wrongInAddress(field: AccountField, entries: AccountEntries, stored: AccountEntries): MessageKey | null {
  const [place, part] = field.split('.') as [AddressPlace, (typeof ADDRESS_FIELDS)[number]];
  const text = entries.get(field) ?? '';
  const isWanted = isFilled(entries, place) || isFilled(stored, place);
  if (isWanted && text === '' && part in REQUIRED) return REQUIRED[part as keyof typeof REQUIRED];
  if (part === 'country' && text !== '' && text !== stored.get(field) && !isCountry(text)) return 'account.country_missing';
  return tooLong(text, LONGEST);
}

const isFilled = (entries: AccountEntries, place: AddressPlace): boolean =>
  ADDRESS_FIELDS.some((field) => (entries.get(`${place}.${field}`) ?? '') !== '');

/** The data that the fields stand for, once nothing is wrong with them. */
export function accountFrom(entries: AccountEntries): AccountData {
  const text = (field: AccountField): string => entries.get(field) ?? '';
  return {
    name: text('name'),
    email: text('email'),
    billingEmail: text('billing_email'),
    address: addressFrom(entries, 'address'),
    billingAddress: addressFrom(entries, 'billing_address'),
    vatId: text('vat_id'),
    language: LANGUAGES.find((language) => language === text('language')) ?? null,
  };
}

function addressFrom(entries: AccountEntries, place: AddressPlace): Address | null {
  if (!isFilled(entries, place)) return null;
  const text = (field: (typeof ADDRESS_FIELDS)[number]): string => entries.get(`${place}.${field}`) ?? '';
  return {
    line_1: text('line_1'),
    line_2: text('line_2') || null,
    zip: text('zip'),
    city: text('city'),
    state: text('state') || null,
    country: text('country'),
  };
}
