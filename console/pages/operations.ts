import { type Html, html } from '../../portal/parts/html.ts';
import { CONSOLE_PREFIX } from '../http/parts.ts';
import type { Visit } from '../http/visit.ts';
import type { ConsoleKey } from '../messages/pages.ts';

/** What keeps the installation running: the pages behind one entry of the navigation. */
const OPERATIONS: readonly { readonly title: ConsoleKey; readonly to: string; readonly below: RegExp }[] = [
  { title: 'late.title', to: `${CONSOLE_PREFIX}/due`, below: /^\/console\/due$/ },
  { title: 'webhook.list_title', to: `${CONSOLE_PREFIX}/webhooks`, below: /^\/console\/webhooks?(\/|$)/ },
  { title: 'clock.list_title', to: `${CONSOLE_PREFIX}/test_clocks`, below: /^\/console\/test_clocks?(\/|$)/ },
  { title: 'import.list_title', to: `${CONSOLE_PREFIX}/imports`, below: /^\/console\/imports?(\/|$)/ },
  { title: 'prefs.title', to: `${CONSOLE_PREFIX}/preferences`, below: /^\/console\/preferences(\/|$)/ },
];

/** Links between the pages of this subject, at the head of each of its lists. */
export const operationTabs = ({ t, path }: Visit): Html =>
  html`<nav class="tabs" aria-label="${t('frame.operations')}"><ul>${OPERATIONS.map(
    ({ title, to, below }) => html`<li><a href="${to}"${below.test(path) ? html` aria-current="page"` : null}>${t(title)}</a></li>`,
  )}</ul></nav>`;
