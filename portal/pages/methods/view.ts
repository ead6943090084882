import type { Method } from '../../../services/payment/method.ts';
import type { OpenedSession } from '../../../services/payment/open-session.ts';
import { vendorText } from '../../http/vendor-text.ts';
import type { Visit } from '../../http/visit.ts';
import { actForm } from '../../parts/form.ts';
import { type Html, html } from '../../parts/html.ts';
import { badge } from '../../parts/note.ts';
import { table } from '../../parts/table.ts';
import { expiryText, hasExpired, methodName } from './name.ts';

interface MethodsShown {
  readonly methods: readonly Method[];
  /** whether an invoice is open, so that the last method stays */
  readonly owes: boolean;
  readonly canAdd: boolean;
}

/** The methods, what can be done with each, and the way to a new one. */
export function methodsContent(visit: Visit, shown: MethodsShown): Html {
  const { t, customer } = visit;
  const acts = customer.status !== 'inactive';
  return html`<div class="title"><h1>${t('methods.title')}</h1></div>
${shown.methods.length === 0 ? none(visit) : list(visit, shown, acts)}
${acts ? addSection(visit, shown.canAdd) : null}`;
}

const none = ({ t }: Visit): Html =>
  html`<section><h2>${t('methods.none_title')}</h2><p class="soft">${t('methods.none_text')}</p></section>`;

function list(visit: Visit, { methods, owes }: MethodsShown, acts: boolean): Html {
  const { t } = visit;
  const usable = methods.filter(({ status }) => status === 'active');
  const columns = [{ title: t('methods.method') }, { title: t('methods.expires') }, { title: t('methods.acts'), hideTitle: true }];
  const rows = methods.map((method) => [
    nameCell(visit, method),
    expiryCell(visit, method),
    acts ? actsCell(visit, method, keepsLast(method)) : null,
  ]);
  function keepsLast(method: Method): boolean {
    return owes && usable.length === 1 && usable[0] === method;
  }
  return html`<section aria-labelledby="methods"><div class="head"><h2 id="methods">${t('methods.title')}</h2></div>
<p class="soft">${t('methods.intro')}</p>
${table({ labelledBy: 'methods', columns, rows })}
${acts && owes && usable.length > 1 ? html`<p class="soft small">${t('methods.make_default_hint')}</p>` : null}
${acts && usable.some(keepsLast) ? html`<p class="soft small">${t('methods.last_kept')}</p>` : null}</section>
`;
}

function nameCell(visit: Visit, method: Method): Html {
  const { t } = visit;
  const mark = method.isDefault
    ? badge('good', t('methods.default'))
    : method.status === 'active'
      ? null
      : badge('bad', t('methods.not_usable'));
  return html`${methodName(visit, method)} ${mark}`;
}

function expiryCell({ t, now }: Visit, method: Method): Html | null {
  const text = expiryText(method);
  if (text === null) return null;
  return html`${text}${hasExpired(method, now) ? html` ${badge('wait', t('methods.expired'))}` : null}`;
}

/** The whole sentence is the name of a button for screen readers, since every row has the same words. */
function actsCell(visit: Visit, method: Method, isKept: boolean): Html {
  const { t, csrf } = visit;
  const name = methodName(visit, method);
  const content = html`<button type="submit" class="small" aria-label="${t('methods.make_default_of', { method: name })}">${t('methods.make_default')}</button>`;
  const choose = actForm({ action: `/portal/methods/${method.id}/default`, csrf, content });
  const remove = html`<a class="button small bad" href="/portal/methods/${method.id}/remove" aria-label="${t('methods.remove_of', { method: name })}">${t('methods.remove')}</a>`;
  return html`<div class="actions">${method.isDefault || method.status !== 'active' ? null : choose}${isKept ? null : remove}</div>`;
}

function addSection(visit: Visit, canAdd: boolean): Html {
  const { t, csrf } = visit;
  if (!canAdd)
    return html`<section><h2>${t('methods.by_hand_title')}</h2>${vendorText(visit, 'pay') ?? html`<p>${t('methods.by_hand_text')}</p>`}</section>`;
  const content = html`<div class="actions"><button type="submit" class="main">${t('methods.add')}</button></div>`;
  return html`<section aria-labelledby="add"><h2 id="add">${t('methods.add_title')}</h2><p class="soft">${t('methods.add_text')}</p>
${actForm({ action: '/portal/methods/add', csrf, content })}</section>`;
}

/** Asks once more before a method is removed. */
export function removeContent(visit: Visit, method: Method): Html {
  const { t, csrf } = visit;
  const content = html`<button type="submit" class="bad">${t('methods.remove_confirm')}</button>`;
  return html`<a class="up" href="/portal/methods">${t('methods.back')}</a>
<section><h1>${t('methods.remove_title')}</h1><p>${t('methods.remove_text', { method: methodName(visit, method) })}</p>
${method.isDefault ? html`<p>${t('methods.remove_default_text')}</p>` : null}
<div class="actions"><a class="button" href="/portal/methods">${t('methods.keep')}</a>${actForm({ action: `/portal/methods/${method.id}/remove`, csrf, content })}</div></section>`;
}

/** Leads to a page of the provider: by a link, or by a form that the provider asks for. */
export function continueContent({ t }: Visit, { url, fields }: NonNullable<OpenedSession['page']>): Html {
  const way =
    fields === null
      ? html`<a class="button main" href="${url}" rel="noreferrer">${t('methods.continue')}</a>`
      : html`<form method="post" action="${url}">${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button type="submit" class="main">${t('methods.continue')}</button></form>`;
  return html`<section><h1>${t('methods.continue_title')}</h1><p>${t('methods.continue_text')}</p><div class="actions">${way}</div></section>`;
}
