import { errorSummary, hiddenField, textField } from '../../../portal/parts/form.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { noteBox } from '../../../portal/parts/note.ts';
import type { OpenVendor } from '../../../services/console/person.ts';
import { CONSOLE_PREFIX } from '../../http/parts.ts';
import type { Reader } from '../../messages/reader.ts';
import type { ProviderRefusal } from '../../sign-in/provider.ts';

type KeyRefused = 'unknown' | 'usage' | 'tries';

/** Why nobody was signed in: by a key, or with the vendor's sign-in service. */
export type SignInRefused = KeyRefused | ProviderRefusal | 'round' | 'no_access';

interface SignInParts {
  readonly to: string;
  readonly refused: SignInRefused | null;
  readonly hasProvider: boolean;
}

const OF_KEY: ReadonlySet<SignInRefused | null> = new Set<SignInRefused>(['unknown', 'usage', 'tries']);

/** The ways to sign in: with the vendor's service where there is one, and with a key. */
export function signInContent(reader: Reader, { to, refused, hasProvider }: SignInParts): Html {
  const { t } = reader;
  const error = refused === null ? undefined : t(`entry.${refused}`);
  const ofKey = OF_KEY.has(refused) ? error : undefined;
  const errors = new Map(ofKey === undefined ? [] : [['api_key', ofKey]]);
  return html`${errorSummary(t('entry.errors_title'), errors)}${error === undefined || ofKey !== undefined ? null : noteBox('bad', html`${error}`)}<section><h1>${t('entry.title')}</h1>
${hasProvider ? html`<p>${t('entry.provider_text')}</p><p><a class="button main" href="${beginAddress(to)}">${t('entry.provider_button')}</a></p><h2>${t('entry.key_title')}</h2>` : null}
<p>${t('entry.text')}</p>${keyForm(reader, to, ofKey, !hasProvider)}</section>`;
}

/** The form that trades a key for a session. The key isn't shown again where it was refused. */
const keyForm = ({ t }: Reader, to: string, error: string | undefined, isMain: boolean): Html =>
  html`<form method="post" action="${CONSOLE_PREFIX}/sign_in">${hiddenField('to', to)}
${textField({ name: 'api_key', label: t('entry.key'), value: '', hint: t('entry.key_hint'), error, type: 'password', autocomplete: 'current-password', required: true })}
<div class="actions"><button type="submit"${isMain ? html` class="main"` : null}>${t('entry.button')}</button></div></form>`;

const beginAddress = (to: string, vendorId = ''): string =>
  `${CONSOLE_PREFIX}/sign_in/begin?${new URLSearchParams({ to, ...(vendorId === '' ? {} : { vendor: vendorId }) })}`;

/** The vendors that a person's groups open, each a link that signs in there. */
export const choiceContent = ({ t }: Reader, to: string, vendors: readonly OpenVendor[]): Html =>
  html`<section><h1>${t('entry.choose')}</h1><ul>${vendors.map(
    ({ vendorId, vendorName, scope }) =>
      html`<li><a href="${beginAddress(to, vendorId)}">${vendorName}</a> (${t(`entry.scope_${scope}`)})</li>`,
  )}</ul></section>`;
