import { fieldId } from './form.ts';
import { type Html, html } from './html.ts';

interface SelectParts {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  /** what a browser may fill in, for example `country` */
  readonly autocomplete?: string;
}

/** A labelled list to choose from; hint and error are read with it. */
export function selectField({ name, label, value, options, hint, error, autocomplete }: SelectParts): Html {
  const id = fieldId(name);
  const described = [hint === undefined ? [] : [`${id}-hint`], error === undefined ? [] : [`${id}-error`]].flat().join(' ');
  return html`<div class="field"><label for="${id}">${label}</label>
${hint === undefined ? null : html`<p class="hint" id="${id}-hint">${hint}</p>`}
${error === undefined ? null : html`<p class="error" id="${id}-error">${error}</p>`}
<select id="${id}" name="${name}"${described === '' ? null : html` aria-describedby="${described}"`}${autocomplete === undefined ? null : html` autocomplete="${autocomplete}"`}${error === undefined ? null : html` aria-invalid="true"`}>
${options.map((option) => html`<option value="${option.value}"${option.value === value ? html` selected` : null}>${option.text}</option>`)}</select></div>
`;
}
