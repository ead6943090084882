import type { Currency } from '../../billing/money/currency.ts';
import type { CustomerRecord } from '../../db/customer/customer.ts';
import type { ImportLineType, LineProblem } from '../../db/entities/import.ts';
import type { SignContractInput } from '../contract/signing.ts';

/** Whose a contract or a wallet is: a customer by its id, or by the key of the ref of its line. */
export type LineCustomer = { id: string } | { refKey: string };

/** What a line makes, as its API call would have it. Plain JSON: it is stored until the line is carried out. */
export type LineInput =
  | { type: 'customer'; customer: CustomerRecord }
  | { type: 'contract'; customer: LineCustomer; signing: Omit<SignContractInput, 'customerId'> }
  | { type: 'wallet'; customer: LineCustomer; currency: Currency; amount: string };

/** A line as it was read: what it makes, or what is wrong with it. */
export type ReadLine = {
  /** in its file, from 1 */
  number: number;
  type: ImportLineType;
  refKey: string | null;
  /** of what the line says */
  fingerprint: string;
} & ({ input: LineInput } | { problems: LineProblem[] });

/** Customers come first, since others name them; wallets last, since their money pays what is open. */
const RANKS: Readonly<Record<ImportLineType, number>> = { unreadable: 0, customer: 1, contract: 2, wallet: 3 };
/** More than a file has lines. */
const LINES = 10_000_000_000;

/** Where a line stands in the order in which lines are carried out. */
export const positionOf = ({ type, number }: Pick<ReadLine, 'type' | 'number'>): string => String(RANKS[type] * LINES + number);
