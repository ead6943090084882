import { z } from 'zod';
import { Address, AddressEntry } from './address.ts';
import { ClockId, CustomerId, Email, idOrEmpty, Metadata, mapOf, Name, PlanId, Text, Timestamp } from './common.ts';
import { ContractSummary } from './contract.ts';
import { paginated, pagingQuery } from './paging.ts';
import { OwnConfiguration, PreferencesRequest } from './preferences.ts';

export const CustomerStatus = z.enum(['active', 'inactive', 'temporary']).meta({ id: 'CustomerStatus' });

const TaxDetailsRequest = z.strictObject({ vat_id: z.string().max(50).nullish() });

export const CustomerRequest = z
  .strictObject({
    id: idOrEmpty('Cust'),
    name: Name.nullish(),
    address: AddressEntry.nullish(),
    addresses: mapOf(AddressEntry).nullish(),
    emails: mapOf(Email).nullish(),
    customer_reference: Name.nullish(),
    metadata: Metadata.nullish(),
    notes: Text.nullish(),
    tax_details: TaxDetailsRequest.nullish(),
    configuration: PreferencesRequest.nullish(),
    test_clock: ClockId.nullish().meta({ description: 'only at creation' }),
  })
  .meta({ id: 'CustomerRequest' });

export const Customer = z
  .object({
    id: CustomerId,
    created: Timestamp,
    name: z.string(),
    emails: z.record(z.string(), z.string()),
    metadata: z.record(z.string(), z.string()),
    status: CustomerStatus,
    address: Address.nullable(),
    addresses: z.record(z.string(), Address),
    contracts: z.array(ContractSummary),
    customer_reference: z.string().nullable(),
    notes: z.string().nullable(),
    tax_details: z.object({ vat_id: z.string().nullable() }).nullable(),
    configuration: OwnConfiguration.nullable(),
    test_clock: ClockId.nullable(),
  })
  .meta({ id: 'Customer' });

export const CustomerPage = paginated(Customer, 'CustomerPage');

const searchParameters = {
  id: CustomerId.optional(),
  email: z.string().max(320).optional(),
  customer_reference: Name.optional(),
  plan: PlanId.optional(),
  status: CustomerStatus.optional(),
  search: z.string().min(1).max(200).optional().meta({ description: 'part of name, e-mail or reference' }),
  contract_plan_name: Name.optional(),
  payment_status: z.enum(['pending_validation', 'ready_for_payment', 'paid']).optional(),
  metadata: z
    .record(z.string().min(1).max(200), z.string().max(200))
    .optional()
    .meta({ description: 'metadata[0]=key: has the key; metadata[key]=value: equality' }),
  ...pagingQuery,
};

export const CustomerSearch = z
  .strictObject(searchParameters)
  .refine(
    (query) => Object.values(query).some((value) => value !== undefined),
    `give at least one of ${Object.keys(searchParameters).join(', ')}`,
  );

export const NotesRequest = z.strictObject({ notes: Text.nullish() }).meta({ id: 'NotesRequest' });

export const HistoryEntry = z
  .object({ at: Timestamp, action: z.string(), notes: z.string().nullable(), api_key_id: z.string().nullable() })
  .meta({ id: 'HistoryEntry' });

export const CustomerHistoryPage = paginated(HistoryEntry, 'CustomerHistoryPage');

export const LoginRequest = z
  .strictObject({ id: CustomerId.nullish(), email: z.string().max(320).nullish(), reference: Name.nullish() })
  .refine((body) => Boolean(body.id ?? body.email ?? body.reference), 'give at least one of id, email, reference')
  .meta({ id: 'LoginRequest' });
