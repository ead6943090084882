import type { Instant } from '../../billing/calendar/instant.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import type { Contract } from '../../billing/contract/types.ts';
import type { CustomerAccess, EntitledContract, EntitlementReads } from '../../db/entitlement/access.ts';
import type { Ask } from '../../db/sql/entitlement/read-access.ts';
import type { ContractNow, CustomerNow, StandingReads } from '../contract/standing.ts';

/** A contract that a customer may use now. */
export interface EntitledNow extends EntitledContract {
  /** where something was due: when the first of the invoices falls due that wait to be made */
  firstDue?: Instant | null;
}

/** What a customer may use now. */
export interface AccessNow extends Pick<CustomerAccess, 'status'> {
  contracts: EntitledNow[];
  /** where something was due: the freezes, of which one may have ended by now */
  pauses?: Pause[];
}

/** What customers may use now: where something is due and undone, their contracts are advanced in memory. */
export class Entitlements {
  readonly #stored: EntitlementReads;
  readonly #standings: StandingReads;

  constructor(stored: EntitlementReads, standings: StandingReads) {
    this.#stored = stored;
    this.#standings = standings;
  }

  /** As `EntitlementReads` reads it, but as of now. */
  async read(ask: Ask): Promise<AccessNow | null> {
    const stored = await this.#stored.read(ask);
    if (stored === null || !stored.isLate) return stored;
    const { customerId, contractId } = ask;
    const now = await this.#standings.one({ customerId, contractId, rootId: null });
    return now === null ? stored : accessNow(now, contractId);
  }
}

function accessNow({ customer, contracts }: CustomerNow, contractId: string | null): AccessNow {
  const asked = ({ contract }: ContractNow): boolean => contract.id === contractId;
  const held = [...contracts.values()].filter((one) => one.contract.status === 'active' || asked(one));
  return {
    status: customer.status,
    pauses: customer.pauses,
    contracts: held.sort((one, other) => Number(asked(other)) - Number(asked(one)) || latestFirst(one.contract, other.contract)),
  };
}

/** The order in which the statement gives them. */
function latestFirst(one: Contract, other: Contract): number {
  const activated = (other.activation ?? Number.NEGATIVE_INFINITY) - (one.activation ?? Number.NEGATIVE_INFINITY);
  return activated || other.created - one.created || (other.id > one.id ? 1 : -1);
}
