/**
 * Where a later part of a billing period begins, after a change has divided the period: what was counted and which tier
 * fees were charged before. Counters go on, so that no customer gets an allowance or a first tier twice.
 */
export interface Began {
  /** units counted in the billing period before this part */
  units: string;
  /**
   * tier fees charged in it before; null when no part before had a usage price, so that the first tier's is still due
   */
  tierFees: string | null;
}
