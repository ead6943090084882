import { chargedInvoice, gateAmounts } from '../../../billing/payment/gate.ts';

describe('what a payment gate collects', () => {
  it.each([
    ['all of it without a wallet', { totals: ['75.00'], surplus: '0', available: '0' }, ['75.00', '0.00', '75.00']],
    ['what the wallet leaves of it', { totals: ['75.00'], surplus: '0', available: '20.00' }, ['75.00', '20.00', '55.00']],
    ['nothing where the wallet has enough', { totals: ['75.00'], surplus: '0', available: '75.01' }, ['75.00', '75.00', '0.00']],
    ['nothing of a wallet that others hold', { totals: ['75.00'], surplus: '0', available: '-1' }, ['75.00', '0.00', '75.00']],
    ['two invoices as one sum', { totals: ['10.00', '75.00'], surplus: '0', available: '5.00' }, ['85.00', '5.00', '80.00']],
    [
      'what a surplus of the change itself leaves',
      { totals: ['20.00', '0.00'], surplus: '15.00', available: '2.00' },
      ['20.00', '2.00', '3.00'],
    ],
    ['nothing where the surplus is larger', { totals: ['20.00'], surplus: '30.00', available: '2.00' }, ['20.00', '0.00', '0.00']],
  ])('is %s', (_, given, expected) => {
    const { invoiceAmount, fromWallet, toPay } = gateAmounts({ ...given, byCredits: [] }, 'usd');
    expect([invoiceAmount, fromWallet, toPay]).toEqual(expected);
  });

  it('charges the largest invoice first, the first of equal ones, and none where there is none', () => {
    const invoice = (id: string, total: string) => ({ id, total });
    expect(chargedInvoice([invoice('Inv_1', '9.00'), invoice('Inv_2', '10.00'), invoice('Inv_3', '10.00')])?.id).toBe('Inv_2');
    expect(chargedInvoice([])).toBeNull();
  });
});
