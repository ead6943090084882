import { type Html, html } from './html.ts';

/** A text field with its label, and what is wrong with it. */
interface FieldParts {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly type?: 'text' | 'email' | 'number' | 'tel' | 'password';
  /** what a browser may fill in, for example `email` */
  readonly autocomplete?: string;
  readonly required?: boolean;
}

/** The id of a field's control, for links to it. */
export const fieldId = (name: string): string => `field-${name}`;

/** A labelled text field; hint and error are read with it. */
export function textField({ name, label, value, hint, error, type = 'text', autocomplete, required = false }: FieldParts): Html {
  const id = fieldId(name);
  const described = [hint === undefined ? [] : [`${id}-hint`], error === undefined ? [] : [`${id}-error`]].flat();
  return html`<div class="field"><label for="${id}">${label}</label>
${hint === undefined ? null : html`<p class="hint" id="${id}-hint">${hint}</p>`}
${error === undefined ? null : html`<p class="error" id="${id}-error">${error}</p>`}
<input type="${type}" id="${id}" name="${name}" value="${value}"${attribute('aria-describedby', described.join(' '))}${attribute('autocomplete', autocomplete)}${error === undefined ? null : html` aria-invalid="true"`}${required ? html` required` : null}></div>
`;
}

const attribute = (name: string, value: string | undefined): Html | null => (value ? html` ${name}="${value}"` : null);

/** What is wrong with a form, at the head of its page, each entry a link to its field. */
export const errorSummary = (title: string, errors: ReadonlyMap<string, string>): Html | null =>
  errors.size === 0
    ? null
    : html`<div class="note bad" role="alert" aria-labelledby="errors" tabindex="-1" autofocus><h2 id="errors">${title}</h2>
<ul>${[...errors].map(([name, text]) => html`<li><a href="#${fieldId(name)}">${text}</a></li>`)}</ul></div>
`;

interface ActParts {
  readonly action: string;
  readonly csrf: string;
  readonly content: Html;
}

/** A form that acts: a POST with the visit's `csrf`. */
export const actForm = ({ action, csrf, content }: ActParts): Html =>
  html`<form method="post" action="${action}"><input type="hidden" name="csrf" value="${csrf}">
${content}</form>
`;

/** A value that a form sends along unseen, for example an estimate's token. */
export const hiddenField = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">
`;
