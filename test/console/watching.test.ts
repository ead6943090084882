import { VendorInConsole } from '../support/console-visitor.ts';
import { eventually } from '../support/eventually.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

describe('an alert on what is left of credits, in the console', () => {
  let vendor: TestVendor;
  let visitor: VendorInConsole;

  beforeAll(async () => {
    vendor = await newVendor('Watches');
    visitor = await VendorInConsole.signIn(vendor.apiKey);
  });

  it('shows the steps reached in each currency since its last grant began, and of no other alert or customer', async () => {
    const customerOf = async (name: string): Promise<string> => {
      const customer: string = await vendor.api.made('/v1/c/customer', { name });
      await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
      return customer;
    };
    const grant = (customer: string, currency: string, amount: string): Promise<string> =>
      vendor.api.made('/v1/c/credit_grant', { customer, currency, amount, kind: 'promotional' });
    const alert = (customer: string, at: string[]): Promise<string> =>
      vendor.api.made(`/v1/c/customer/${customer}/alert`, { on: 'balance', at });
    const stepsOf = async (customer: string): Promise<string[]> => {
      const [, alerts = ''] =
        /Alerts Watches Feature Steps (.*?) (?:History|Payment methods|More|Wallet|Details)/.exec(
          await visitor.text(`/console/customer/${customer}`),
        ) ?? [];
      return alerts
        .split('what is left of credits – ')
        .slice(1)
        .map((steps) => steps.trim())
        .toSorted();
    };
    const [ada, ben] = [await customerOf('Ada'), await customerOf('Ben')];
    const first = await grant(ada, 'usd', '30');
    await grant(ada, 'eur', '8');
    await grant(ben, 'usd', '100');
    await alert(ada, ['5', '10']);
    await alert(ada, ['2']);
    await alert(ben, ['5', '10']);
    // of the 8 euros alone
    expect(await stepsOf(ada)).toEqual(['2', '5 10 reached']);
    await vendor.api.made(`/v1/c/credit_grant/${first}/void`);
    await eventually(async () => expect(await stepsOf(ada)).toEqual(['2 reached', '5 reached 10 reached']));
    await grant(ada, 'usd', '30');
    // the next grant of dollars opens their steps again; those of euros stay reached
    expect(await stepsOf(ada)).toEqual(['2', '5 10 reached']);
    await grant(ada, 'eur', '20');
    expect(await stepsOf(ada)).toEqual(['2', '5 10']);
    expect(await stepsOf(ben)).toEqual(['5 10']);
  });
});
