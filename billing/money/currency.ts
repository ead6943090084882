import { fail } from '../problem.ts';

// ISO 4217 as it stands in 2026, by digits after the point. Left out is what nobody pays in: funds codes (bov, che,
// chw, clf, cou, mxv, usn, uyi, uyw; the only ones with four digits are among them), metals (xag, xau, xpd, xpt),
// units of account (xad, xba to xbd, xdr, xsu, xua), xts and xxx. So are withdrawn codes, such as bgn and ang.
const CODES = {
  0: ['bif clp djf gnf isk jpy kmf krw pyg rwf ugx vnd vuv xaf xof xpf'],
  2: [
    'aed afn all amd aoa ars aud awg azn bam bbd bdt bmd bnd bob brl bsd btn bwp byn bzd cad cdf chf cny cop crc cup cve czk',
    'dkk dop dzd egp ern etb eur fjd fkp gbp gel ghs gip gmd gtq gyd hkd hnl htg huf idr ils inr irr jmd',
    'kes kgs khr kpw kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mru mur mvr mwk mxn myr mzn',
    'nad ngn nio nok npr nzd pab pen pgk php pkr pln qar ron rsd rub',
    'sar sbd scr sdg sek sgd shp sle sos srd ssp stn svc syp szl thb tjs tmt top try ttd twd tzs uah usd uyu uzs ved ves wst',
    'xcd xcg yer zar zmw zwg',
  ],
  3: ['bhd iqd jod kwd lyd omr tnd'],
} as const;

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;

/** A currency of prices, invoices and wallets: the lowercase ISO 4217 code. */
export type Currency = Words<(typeof CODES)[keyof typeof CODES][number]>;

const MINOR_DIGITS: ReadonlyMap<string, number> = new Map(
  Object.entries(CODES)
    .flatMap(([digits, rows]) => rows.flatMap((row) => row.split(' ').map((code) => [code, Number(digits)] as const)))
    .toSorted(([a], [b]) => (a < b ? -1 : 1)),
);

/** All currencies, by their codes. */
export const CURRENCIES: readonly Currency[] = [...MINOR_DIGITS.keys()].filter(isCurrency);

/** What a currency must be, for messages. */
export const CURRENCY_ADVICE = 'give an ISO 4217 code such as usd, jpy or kwd';

/** Whether a text names one of these currencies. */
export function isCurrency(value: string): value is Currency {
  return MINOR_DIGITS.has(value);
}

/**
 * Digits after the point of the currency's smallest coin (ISO 4217).
 *
 * @throws BillingError `unknown_currency`
 * @example [minorDigits('jpy'), minorDigits('usd'), minorDigits('kwd')] // [0, 2, 3]
 */
export function minorDigits(currency: Currency): number {
  return MINOR_DIGITS.get(currency) ?? fail('currency', 'unknown_currency', CURRENCY_ADVICE);
}
