import { type Html, html } from './html.ts';

/** A number with its limits, and buttons that count up and down. */
interface StepperParts {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly minimum: string;
  readonly maximum: string | null;
  /** `any`: also numbers between whole ones; then there are no buttons */
  readonly step: string;
  readonly hint: string;
  readonly error: string | null;
  /** names of the buttons for screen readers */
  readonly fewer: string;
  readonly more: string;
}

/** A labelled number field. Its buttons are hidden until the script shows them: without scripts it is a plain field. */
export function stepper({ id, name, label, value, minimum, maximum, step, hint, error, fewer, more }: StepperParts): Html {
  const described = [...(hint === '' ? [] : [`${id}-hint`]), ...(error === null ? [] : [`${id}-error`])].join(' ');
  return html`<div class="field"><label for="${id}">${label}</label>
${hint === '' ? null : html`<p class="hint" id="${id}-hint">${hint}</p>`}
${error === null ? null : html`<p class="error" id="${id}-error">${error}</p>`}
<div class="stepper">${button(id, 'down', fewer, '−', step)}<input type="number" inputmode="decimal" id="${id}" name="${name}" value="${value}" min="${minimum}"${maximum === null ? null : html` max="${maximum}"`} step="${step}" required${described === '' ? null : html` aria-describedby="${described}"`}${error === null ? null : html` aria-invalid="true"`}>${button(id, 'up', more, '+', step)}</div></div>
`;
}

const button = (id: string, direction: 'up' | 'down', name: string, sign: string, step: string): Html | null =>
  step === 'any'
    ? null
    : html`<button type="button" hidden data-step="${direction}" aria-controls="${id}" aria-label="${name}">${sign}</button>`;
