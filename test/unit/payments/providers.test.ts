import { attemptKey } from '../../../payments/attempt-key.ts';
import { createProviders } from '../../../payments/providers.ts';

describe('without any keys configured', () => {
  const config = { cardproc: null, authorize: null, retryDays: [1] };
  const opening = createProviders({ config, mode: 'production', databaseUrl: '', notify: async () => {} });

  it('an attempt still gets the key its provider takes, should the keys be there when it is sent', async () => {
    const providers = await opening;
    const attempt = 'Pay_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f';
    expect(providers.has('authorize')).toBe(false);
    expect(attemptKey('authorize', attempt)).toBe('7c3d8f213a9b0c1d2e3f');
    expect(attemptKey('cardproc', attempt)).toBe(attempt);
  });
});
