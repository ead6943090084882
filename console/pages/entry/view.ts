import { errorSummary, hiddenField, textField } from '../../../portal/parts/form.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { CONSOLE_PREFIX } from '../../http/parts.ts';
import type { Reader } from '../../messages/reader.ts';

/** The form that trades a key for a session. The key isn't shown again where it was refused. */
export function signInContent({ t }: Reader, to: string, refused: 'unknown' | 'usage' | 'tries' | null): Html {
  const error = refused === null ? undefined : t(`entry.${refused}`);
  const errors = new Map(error === undefined ? [] : [['api_key', error]]);
  const label = t('entry.key');
  return html`${errorSummary(t('entry.errors_title'), errors)}<section><h1>${t('entry.title')}</h1><p>${t('entry.text')}</p>
<form method="post" action="${CONSOLE_PREFIX}/sign_in">${hiddenField('to', to)}
${textField({ name: 'api_key', label, value: '', hint: t('entry.key_hint'), error, type: 'password', autocomplete: 'current-password', required: true })}
<div class="actions"><button type="submit" class="main">${t('entry.button')}</button></div></form></section>`;
}
