import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import type { CustomerRecord } from '../../db/customer/customer.ts';
import { mainAddress } from '../../db/sql/tax/context.ts';
import type { ContractSummary } from '../schema/contract.ts';
import type { Customer, CustomerRequest } from '../schema/customer.ts';
import { addressFromWire } from './address.ts';
import { configurationFromWire, ownConfigurationToWire } from './configuration.ts';

export function customerToWire(customer: CustomerRecord, contracts: z.input<typeof ContractSummary>[]): z.input<typeof Customer> {
  return {
    id: customer.id,
    created: iso(customer.created),
    name: customer.name,
    emails: customer.emails,
    metadata: customer.metadata,
    status: customer.status,
    address: mainAddress(customer.addresses),
    addresses: customer.addresses,
    contracts,
    customer_reference: customer.customerReference,
    notes: customer.notes,
    tax_details: customer.vatId === null ? null : { vat_id: customer.vatId },
    language: customer.language,
    configuration: ownConfigurationToWire(customer.configuration),
    resume_at: customer.resumeAt === null ? null : iso(customer.resumeAt),
    test_clock: customer.clockId,
  };
}

type CustomerInput = z.output<typeof CustomerRequest>;

/** The customer after a request: absent fields stay, null clears, maps are replaced as a whole. */
export function customerFromWire(body: CustomerInput, current: CustomerRecord): CustomerRecord {
  const given = <T>(value: T | undefined, before: T): T => (value === undefined ? before : value);
  return {
    ...current,
    name: given(body.name, current.name) ?? '',
    emails: given(body.emails, current.emails) ?? {},
    addresses: addressesFromWire(body, current),
    metadata: given(body.metadata, current.metadata) ?? {},
    customerReference: given(body.customer_reference, current.customerReference),
    notes: given(body.notes, current.notes),
    vatId: body.tax_details === undefined ? current.vatId : (body.tax_details?.vat_id ?? null),
    language: given(body.language, current.language),
    configuration: body.configuration === undefined ? current.configuration : configurationFromWire(body.configuration ?? {}),
  };
}

/** The addresses after a request, whose `address` is the one labelled `main`. */
function addressesFromWire(body: CustomerInput, current: CustomerRecord): CustomerRecord['addresses'] {
  const entries = Object.entries(body.addresses ?? {}).map(([label, entry]) => [label, addressFromWire(entry)] as const);
  const labelled = body.addresses === undefined ? current.addresses : Object.fromEntries(entries);
  if (body.address === undefined) return labelled;
  const { main: _main, ...others } = labelled;
  return body.address === null ? others : { main: addressFromWire(body.address), ...others };
}
