import { Country, likelyCountry } from '../../../api/schema/country.ts';

const refusal = (given: unknown): string | undefined => Country.safeParse(given).error?.issues[0]?.message;

describe('a country', () => {
  it('is one of the 249 assigned codes', () => {
    for (const code of ['DE', 'GB', 'GR', 'US', 'BR', 'AR', 'SS']) expect(Country.parse(code)).toBe(code);
    expect(Country.options).toHaveLength(249);
  });

  it('UK is refused and GB suggested, EL is refused and GR suggested', () => {
    expect(refusal('UK')).toBe('must be an assigned ISO 3166-1 alpha-2 code: GB instead of UK');
    expect(refusal('EL')).toBe('must be an assigned ISO 3166-1 alpha-2 code: GR instead of EL');
  });

  it('ZZ, EU and values that are no text are refused without a suggestion', () => {
    for (const given of ['ZZ', 'EU', 'XK', '', 'constructor', '\u0130'])
      expect(refusal(given)).toBe('must be an assigned ISO 3166-1 alpha-2 code');
    for (const given of [7, null, ['DE']]) expect(refusal(given)).toBe('must be an assigned ISO 3166-1 alpha-2 code');
    expect(refusal(undefined)).toBe('is required');
  });

  it.each([
    ['de', 'DE'],
    [' De ', 'DE'],
    ['GBR', 'GB'],
    ['uk', 'GB'],
    ['Germany', 'DE'],
    ['united kingdom', 'GB'],
    ['Bolivia', 'BO'],
    ['SF', 'FI'],
    ['DD', 'DE'],
    ['ZR', 'CD'],
  ])('%j most likely means %s', (given, code) => {
    expect(likelyCountry(given)).toBe(code);
  });

  it('a code or name that could mean several countries has no suggestion', () => {
    for (const given of ['SU', 'YU', 'CS', 'AN', 'Virgin Islands', 'Saint', 'D', 'A', 'Uni']) expect(likelyCountry(given)).toBeNull();
  });
});
