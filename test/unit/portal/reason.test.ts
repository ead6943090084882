import de from '../../../portal/messages/de/reasons.json' with { type: 'json' };
import en from '../../../portal/messages/en/reasons.json' with { type: 'json' };
import { reasonKey } from '../../../portal/parts/reason.ts';
import { read, sourceFiles } from '../../house/sources.ts';

/** Reasons of refunds, which customers don't see. */
const NOT_SHOWN = new Set(['more_than_was_taken', 'charge_not_settled_yet']);

/** Every reason that our own code gives for a failed payment or set-up. */
function reasonsInCode(): string[] {
  const given = sourceFiles()
    .filter((path) => path.startsWith('payments/') || path.startsWith('services/payment/') || path.startsWith('db/payment/'))
    .flatMap((path) => [
      ...read(path).matchAll(/\b(?:reason: |refused\(|(?:CUSTOMER_NOT_ACTIVE|INVOICE_PAID) = )(?:[^,;{}]*[?:] )?'([a-z_]+)'/g),
    ])
    .map(([, reason = '']) => reason);
  return [...new Set(given)].filter((reason) => !NOT_SHOWN.has(reason));
}

describe('why a payment failed', () => {
  it('has words of its own for every reason that our code gives', () => {
    const reasons = reasonsInCode();
    expect(reasons).toEqual(
      expect.arrayContaining(['insufficient_funds', 'refer_to_bank', 'customer_not_active', 'invoice_paid', 'unknown_method']),
    );
    expect(reasons.filter((reason) => reason !== 'refused_by_provider' && reasonKey(reason) === 'other')).toEqual([]);
  });

  it.each([
    ['stolen_card', 'declined'],
    ['authentication_required', 'needs_action'],
    ['processing_error', 'try_again_later'],
    ['something_new', 'other'],
    [null, 'other'],
  ])('is worded for %s as %s', (reason, key) => {
    expect(reasonKey(reason)).toBe(key);
  });

  it('uses every message, and each is in both languages', () => {
    expect(Object.keys(de)).toEqual(Object.keys(en));
    const used = new Set([...read('portal/parts/reason.ts').matchAll(/: '([a-z_]+)',/g)].map(([, key]) => key));
    expect(Object.keys(en).filter((key) => key !== 'other' && !used.has(key))).toEqual([]);
  });
});
