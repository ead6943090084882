import type { CustomerRecord } from '../../../db/customer/customer.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { section } from '../../../portal/parts/section.ts';
import type { Visit } from '../../http/visit.ts';
import type { ConsoleKey } from '../../messages/pages.ts';
import { customerAddress } from '../links.ts';

type Act = 'sign' | 'grant' | 'wallet' | 'freeze' | 'activate' | 'erase';

const TEXTS: Readonly<Record<Act, ConsoleKey>> = {
  sign: 'sale.sign',
  grant: 'gift.credits',
  wallet: 'gift.wallet',
  freeze: 'act.freeze',
  activate: 'act.activate',
  erase: 'erase.title',
};

/** What may be done with a customer now; a key that only reads gets no buttons. */
export function customerActsSection({ t, visitor }: Visit, { id, status }: CustomerRecord): Html | null {
  if (visitor.scope !== 'full') return null;
  const acts: Act[] = status === 'active' ? ['sign', 'grant', 'wallet', 'freeze', 'erase'] : ['activate', 'erase'];
  const link = (act: Act): Html => html`<a class="button" href="${customerAddress(id)}/${act}">${t(TEXTS[act])}</a>`;
  return section('acts', t('act.title'), html`<div class="actions">${acts.map(link)}</div>`);
}
