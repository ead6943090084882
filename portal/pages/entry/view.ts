import type { PortalLook } from '../../../services/portal/look.ts';
import { ICON_ADDRESS, STYLE_ADDRESS, themeAddress } from '../../http/asset.ts';
import type { Reader } from '../../messages/language.ts';
import { html } from '../../parts/html.ts';
import { layout } from '../../parts/layout.ts';

/** The page behind a link to the portal; its button posts to `action`, which opens the portal. */
export const entryPage = ({ language, t }: Reader, look: PortalLook, action: string): string =>
  layout({
    language,
    title: t('frame.customer_title', { page: t('message.enter_title'), vendor: look.name }),
    icon: ICON_ADDRESS,
    styles: [STYLE_ADDRESS, themeAddress(look.color)],
    scripts: [],
    brand: look,
    acts: null,
    skip: t('frame.skip'),
    navigationTitle: t('frame.navigation'),
    links: [],
    content: html`<section><h1>${t('message.enter_title')}</h1><p>${t('message.enter_text')}</p>
<form method="post" action="${action}"><div class="actions"><button type="submit" class="main">${t('message.enter_button')}</button></div></form></section>`,
    narrow: true,
    foot: null,
  });
