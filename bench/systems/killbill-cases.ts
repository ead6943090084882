import { randomUUID } from 'node:crypto';
import type { Request } from '../api/load.ts';
import { type Case, one, type Stage, times } from '../compare/cases.ts';
import type { KillBillClient } from './killbill-client.ts';
import { account, idInLocation } from './killbill-herd.ts';

const subscription = ({ contracts }: Stage, n: number): string => one(contracts, n);

const request = (
  method: Request['method'],
  count: number,
  path: (stage: Stage, n: number) => string,
  body?: (stage: Stage, n: number) => unknown,
): Pick<Case, 'count' | 'request'> => ({
  count,
  request: (stage, n) => ({ method, path: path(stage, n), ...(body ? { body: JSON.stringify(body(stage, n)) } : {}) }),
});

/** The calls that do the same work as ours, in the same numbers. */
export function casesOf(client: KillBillClient): Case[] {
  const usageOf = (records: number) => (stage: Stage, n: number) => ({
    subscriptionId: subscription(stage, n),
    trackingId: randomUUID(),
    unitUsageRecords: [{ unitType: 'calls', usageRecords: times(records, () => ({ recordDate: client.today, amount: 1 })) }],
  });
  const signing = (stage: Stage, n: number) => ({ accountId: one(stage.customers, n), planName: stage.plan });
  const change = (stage: Stage, n: number) => ({
    ...{ dryRunType: 'SUBSCRIPTION_ACTION', dryRunAction: 'CHANGE', billingPolicy: 'IMMEDIATE', planName: stage.bigger },
    ...{ subscriptionId: subscription(stage, n), bundleId: client.of(subscription(stage, n)).bundleId },
  });
  const pathOf = (stage: Stage, n: number): string => `/1.0/kb/subscriptions/${subscription(stage, n)}`;
  const accountOf = (stage: Stage, n: number): string => client.of(subscription(stage, n)).accountId;
  return [
    { name: 'customer create', ...request('POST', 400, () => '/1.0/kb/accounts', account), makes: 'customers', idOf: idInLocation },
    { name: 'sign', ...request('POST', 60, () => '/1.0/kb/subscriptions', signing), makes: 'contracts', idOf: idInLocation },
    { name: 'contract read', prepare: ({ contracts }) => client.lookUp(contracts), ...request('GET', 4_000, pathOf) },
    { name: 'entitlement', ...request('GET', 4_000, (stage, n) => `/1.0/kb/accounts/${accountOf(stage, n)}/bundles`) },
    { name: 'usage one', ...request('POST', 4_000, () => '/1.0/kb/usages', usageOf(1)) },
    { name: 'usage 100', ...request('POST', 150, () => '/1.0/kb/usages', usageOf(100)) },
    { name: 'usage 100 for one customer', ...request('POST', 150, () => '/1.0/kb/usages', usageOf(100)) },
    { name: 'estimate', ...request('POST', 300, (stage, n) => `/1.0/kb/invoices/dryRun?accountId=${accountOf(stage, n)}`, change) },
    { name: 'upgrade', ...request('PUT', 60, pathOf, ({ bigger }) => ({ planName: bigger })) },
  ];
}
