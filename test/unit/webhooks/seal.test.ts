import { seal, unseal } from '../../../services/webhook/seal.ts';

const OWN = 'the-secret-of-this-installation-alone';

describe('sealed text', () => {
  it('opens for its owner with the same secret, and differs each time', () => {
    const [one, other] = [seal('whsec_abc', 'Hook_1', OWN), seal('whsec_abc', 'Hook_1', OWN)];
    expect([unseal(one, 'Hook_1', OWN), unseal(other, 'Hook_1', OWN)]).toEqual(['whsec_abc', 'whsec_abc']);
    expect(one).not.toBe(other);
    expect(one).not.toContain('whsec');
  });

  it('opens neither for another owner, nor with another secret, nor when it was changed', () => {
    const sealed = seal('whsec_abc', 'Hook_1', OWN);
    expect(unseal(sealed, 'Hook_2', OWN)).toBeNull();
    expect(unseal(sealed, 'Hook_1', `${OWN}!`)).toBeNull();
    expect(unseal(`${sealed[0] === 'A' ? 'B' : 'A'}${sealed.slice(1)}`, 'Hook_1', OWN)).toBeNull();
  });
});
