import { z } from 'zod';
import { PORTAL_FLOWS } from '../../db/entities/portal.ts';
import { Address, AddressEntry } from './address.ts';
import {
  Actor,
  ClockId,
  ContractId,
  CustomerId,
  Email,
  InvoiceId,
  idOrEmpty,
  Metadata,
  mapOf,
  Name,
  needs,
  PlanId,
  Text,
  Timestamp,
  TimestampInput,
} from './common.ts';
import { ContractSummary } from './contract.ts';
import { paginated, pagingQuery } from './paging.ts';
import { Language } from './portal.ts';
import { ConfigurationRequest, OwnConfiguration } from './preferences.ts';

export const CustomerStatus = z.enum(['active', 'inactive', 'temporary']).meta({
  id: 'CustomerStatus',
  description:
    'active: charged as agreed; inactive: frozen, everything is paused and read-only; temporary: registration not completed, invoices are made but not collected.',
});

const TaxDetailsRequest = z.strictObject({
  vat_id: z
    .string()
    .max(50)
    .nullish()
    .describe(
      'VAT identification number with its country prefix, for example DE123456789; null clears it. A valid form from another EU state than the seller’s means reverse charge.',
    ),
});

export const CustomerRequest = z
  .strictObject({
    id: idOrEmpty('Cust').describe('The customer to change; absent, null or empty text creates a new one.'),
    name: Name.nullish().describe('Name on invoices; null or absent for a new customer is the empty text.'),
    address: AddressEntry.nullish().describe('The address labelled `main`; null removes only that one.'),
    addresses: mapOf(AddressEntry)
      .nullish()
      .describe(
        'Addresses by label, replaced as a whole. Invoices and taxes use `main`, else the first one; labels that are whole numbers come before all others, the lowest first, in whatever order they are sent.',
      ),
    emails: mapOf(Email).nullish().describe('E-mail addresses by label, for example `main` and `billing`, replaced as a whole.'),
    customer_reference: Name.nullish().describe(
      'Your own name for the customer, for example its id in your system. It need not be unique.',
    ),
    metadata: Metadata.nullish().describe('Your own notes for machines, replaced as a whole; customers never see them.'),
    notes: Text.nullish().describe('Your own notes for people; customers never see them.'),
    tax_details: TaxDetailsRequest.nullish().describe('What affects taxation; null clears it.'),
    language: Language.nullish().describe('Language of the portal and of e-mails for this customer; null: the vendor’s.'),
    configuration: ConfigurationRequest.nullish().describe(
      'Defaults for contracts of this customer when they are signed; they override the vendor’s preferences. Null clears them.',
    ),
    test_clock: ClockId.nullish().describe(
      'The test clock of the customer, which never changes. Accepted only when a customer is created.',
    ),
  })
  .meta({
    id: 'CustomerRequest',
    description:
      'Without an id a customer is created; with one it is changed: absent fields stay, null clears, maps are replaced as a whole.',
  });

export const Customer = z
  .object({
    id: CustomerId.describe('Id of the customer, which never changes.'),
    created: Timestamp.describe('When the customer was created, on its own clock.'),
    name: z.string().describe('Name on invoices; empty text for none.'),
    emails: z.record(z.string(), z.string()).describe('E-mail addresses by label; empty for none.'),
    metadata: z.record(z.string(), z.string()).describe('Your own notes for machines; empty for none.'),
    status: CustomerStatus.describe('Whether the customer is charged, frozen or not yet registered.'),
    address: Address.nullable().describe('The address labelled `main`, else the first one of `addresses`; null for none.'),
    addresses: z
      .record(z.string(), Address)
      .describe(
        'All addresses by label, in the order that counts without `main`: whole numbers first, the lowest before the others, then as they were sent.',
      ),
    contracts: z
      .array(ContractSummary)
      .describe('Signed contracts, oldest first; of more than 1,000 those that live, then those that ended last.'),
    customer_reference: z.string().nullable().describe('Your own name for the customer; null for none.'),
    notes: z.string().nullable().describe('Your own notes for people; null for none.'),
    tax_details: z
      .object({ vat_id: z.string().nullable().describe('VAT identification number as it was given; null for none.') })
      .nullable()
      .describe('What affects taxation; null when nothing was given.'),
    language: Language.nullable().describe('Language of the portal and of e-mails for this customer; null: the vendor’s.'),
    configuration: OwnConfiguration.nullable().describe('The customer’s own settings; null for none.'),
    resume_at: Timestamp.nullable().describe('When the freeze ends by itself; null: it does not, or there is none.'),
    test_clock: ClockId.nullable().describe('The test clock of the customer; null for the wall clock.'),
  })
  .meta({ id: 'Customer', description: 'A customer with its addresses, settings and contracts.' });

export const CustomerPage = paginated(Customer, 'CustomerPage');

const searchParameters = {
  id: CustomerId.optional().describe('Only the customer with this id.'),
  email: z
    .string()
    .max(320)
    .optional()
    .describe('Only customers with this e-mail address under any label; upper and lower case are equal.'),
  customer_reference: Name.optional().describe('Only customers with exactly this `customer_reference`.'),
  plan: PlanId.optional().describe('Only customers with a live contract of this plan of the catalogue.'),
  status: CustomerStatus.optional().describe('Only customers in this state.'),
  search: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Only customers with this text in their name, an e-mail address or their reference; upper and lower case are equal.'),
  contract_plan_name: Name.optional().describe('Only customers with a live contract whose plan has exactly this name.'),
  payment_status: z
    .enum(['pending_validation', 'ready_for_payment', 'paid'])
    .optional()
    .describe('Only customers with an invoice in this state.'),
  metadata: mapOf(z.string().max(200))
    .optional()
    .describe('`metadata[key]=value` finds an equal entry, `metadata[0]=key` an entry with that name and any value.'),
  ...pagingQuery,
};

export const CustomerSearch = z
  .strictObject(searchParameters)
  .refine(
    (query) => Object.values(query).some((value) => value !== undefined),
    `give at least one of ${Object.keys(searchParameters).join(', ')}`,
  );

export const NotesRequest = z
  .strictObject({ notes: Text.nullish().describe('The reason, stored in the history with time and key; null or absent for none.') })
  .meta({ id: 'NotesRequest', description: 'Why something is done, for your own records.' });

export const FreezeRequest = z
  .strictObject({
    notes: Text.nullish().describe('The reason, stored in the history with time and key; null or absent for none.'),
    resume_at: TimestampInput.nullish().describe(
      'When the freeze ends by itself, on the customer’s clock; null: it lasts until the customer is activated. Absent: by `resume_after_days` of the pause rules; on a frozen customer nothing changes.',
    ),
  })
  .meta({ id: 'FreezeRequest', description: 'Why a customer is frozen, and how long.' });

export const HistoryEntry = z
  .object({
    at: Timestamp.describe('When it was done, on the customer’s clock.'),
    action: z
      .string()
      .describe(
        'What was done, for example `updated`, `address_set`, `frozen`, `freeze_end_set`, `activated`, `contract_changed` or `payment_requested`.',
      ),
    object: z
      .string()
      .nullable()
      .describe('Id of what it was done with: a contract, an invoice or a payment method; null: the customer itself.'),
    notes: z.string().nullable().describe('The reason that was given; null for none.'),
    actor: Actor.describe('Who did it.'),
    api_key_id: z.string().nullable().describe('The key that was used; null for none.'),
  })
  .meta({ id: 'HistoryEntry', description: 'One thing that was done to a customer.' });

export const CustomerHistoryPage = paginated(HistoryEntry, 'CustomerHistoryPage');

const HINTS = ['id', 'email', 'reference'] as const;
const ONE_HINT = 'give at least one of id, email, reference';

const isAboutContract = (flow: unknown): boolean => flow === 'change' || flow === 'cancel';

export const LoginRequest = z
  .strictObject({
    id: idOrEmpty('Cust').describe('Id of the customer who enters; null, absent or empty text: not by its id.'),
    email: z
      .string()
      .max(320)
      .nullish()
      .describe(
        'An e-mail address of the customer under any label; upper and lower case are equal. Null, absent or empty text: not by an e-mail address.',
      ),
    reference: Name.nullish().describe('The customer’s `customer_reference`, exactly; null, absent or empty text: not by a reference.'),
    flow: z
      .enum(PORTAL_FLOWS)
      .nullish()
      .describe(
        'The page that the link opens: pay (an `invoice`), method (payment methods), change or cancel (a `contract`); null or absent: the overview.',
      ),
    invoice: InvoiceId.nullish().describe('The invoice to pay, one of the customer’s; for the flow pay.'),
    contract: ContractId.nullish().describe('The contract to change or cancel, one of the customer’s; for the flows change and cancel.'),
    return_url: z
      .string()
      .max(2_000)
      .nullish()
      .describe(
        'Where each page leads back to; its origin has to be listed in `return_urls` of the portal preferences. Null or absent: nowhere.',
      ),
  })
  .superRefine((body, { addIssue }) => {
    if (HINTS.some((hint) => body[hint])) return;
    const empty = HINTS.filter((hint) => body[hint] === '');
    for (const hint of empty) addIssue({ code: 'custom', path: [hint], message: `is empty: ${ONE_HINT}` });
    if (empty.length === 0) addIssue({ code: 'custom', message: ONE_HINT });
  })
  .refine(({ flow, invoice }) => flow !== 'pay' || invoice != null, needs('invoice', 'is required for the flow pay'))
  .refine(({ flow, invoice }) => flow === 'pay' || invoice == null, needs('invoice', 'belongs to the flow pay alone'))
  .refine(({ flow, contract }) => !isAboutContract(flow) || contract != null, needs('contract', 'is required for this flow'))
  .refine(
    ({ flow, contract }) => isAboutContract(flow) || contract == null,
    needs('contract', 'belongs to the flows change and cancel alone'),
  )
  .meta({
    id: 'LoginRequest',
    description:
      'Who enters the portal, where, and where back to: give at least one of `id`, `email` and `reference`; all of these that are given must match the same customer.',
  });

export const Erasure = z
  .object({
    customer: CustomerId.describe('The customer whose personal data are erased.'),
    began: Timestamp.describe('When the erasure was asked for, on the wall clock.'),
    ended: Timestamp.nullable().describe('When the last of its data was replaced; null: some are still to be.'),
  })
  .meta({ id: 'Erasure', description: 'How far the erasure of a customer’s personal data is.' });
