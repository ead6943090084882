/** The plans of the bench: a monthly fee in advance and calls in arrear, as our own of `bench/api/seed.ts`. */
const PLANS = { pro: '190.00', max: '570.00' };
const UNLIMITED = 1_000_000_000;

const price = (amount: string): string => `<price><currency>USD</currency><value>${amount}</value></price>`;
const block = `<tieredBlock><unit>calls</unit><size>1</size><prices>${price('0.01')}</prices><max>${UNLIMITED}</max></tieredBlock>`;
const usageOf = (name: string): string =>
  `<usages><usage name="${name}-calls" billingMode="IN_ARREAR" usageType="CONSUMABLE"><billingPeriod>MONTHLY</billingPeriod>
   <tiers><tier><blocks>${block}</blocks></tier></tiers></usage></usages>`;
const planOf = ([name, amount]: readonly [string, string]): string =>
  `<plan name="${name}-monthly"><product>${name}</product><finalPhase type="EVERGREEN">
   <duration><unit>UNLIMITED</unit></duration>
   <recurring><billingPeriod>MONTHLY</billingPeriod><recurringPrice>${price(amount)}</recurringPrice></recurring>
   ${usageOf(name)}</finalPhase></plan>`;
/** One rule for every case. */
const ruleOf = (name: string, inner: string): string => `<${name}><${name}Case>${inner}</${name}Case></${name}>`;
const names = Object.keys(PLANS);

export const CATALOGUE = `<?xml version="1.0" encoding="UTF-8"?>
<catalog>
<effectiveDate>2020-01-01T00:00:00+00:00</effectiveDate><catalogName>bench</catalogName><recurringBillingMode>IN_ADVANCE</recurringBillingMode>
<currencies><currency>USD</currency></currencies><units><unit name="calls"/></units>
<products>${names.map((name) => `<product name="${name}"><category>BASE</category></product>`).join('')}</products>
<rules>
${ruleOf('changePolicy', '<policy>IMMEDIATE</policy>')}${ruleOf('changeAlignment', '<alignment>START_OF_BUNDLE</alignment>')}
${ruleOf('cancelPolicy', '<policy>IMMEDIATE</policy>')}${ruleOf('createAlignment', '<alignment>START_OF_BUNDLE</alignment>')}
${ruleOf('billingAlignment', '<alignment>ACCOUNT</alignment>')}${ruleOf('priceList', '<toPriceList>DEFAULT</toPriceList>')}
</rules>
<plans>${Object.entries(PLANS).map(planOf).join('\n')}</plans>
<priceLists><defaultPriceList name="DEFAULT"><plans>${names.map((name) => `<plan>${name}-monthly</plan>`).join('')}</plans></defaultPriceList></priceLists>
</catalog>`;
