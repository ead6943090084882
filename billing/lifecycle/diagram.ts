import { contractMachine } from './contract.ts';
import { customerMachine } from './customer.ts';
import { invoiceMachine } from './invoice.ts';
import { finalStates, type Machine } from './machine.ts';
import { paymentAttemptMachine } from './payment-attempt.ts';
import { paymentGateMachine } from './payment-gate.ts';
import { paymentSessionMachine } from './payment-session.ts';

/** All lifecycles, in the order of the document. */
export const machines: readonly Machine[] = [
  contractMachine,
  invoiceMachine,
  paymentAttemptMachine,
  paymentGateMachine,
  paymentSessionMachine,
  customerMachine,
];

/** A lifecycle as a mermaid state diagram. */
export function renderDiagram(machine: Machine): string {
  return [
    'stateDiagram-v2',
    ...machine.starts.map(({ to, text }) => `  [*] --> ${to}: ${text}`),
    ...machine.transitions.map(({ from, trigger, to, guard }) => `  ${from} --> ${to}: ${trigger}${guard ? ` [${guard.text}]` : ''}`),
    ...finalStates(machine).map((state) => `  ${state} --> [*]`),
  ].join('\n');
}

function renderTable(machine: Machine): string {
  return ['| State | Means |', '|---|---|', ...Object.entries(machine.states).map(([state, text]) => `| \`${state}\` | ${text} |`)].join(
    '\n',
  );
}

/** The document of all lifecycles, made from the tables; `docs/lifecycle.md` is this text. */
export function renderDocument(all: readonly Machine[]): string {
  const intro =
    'Made from the tables in `billing/lifecycle` by `npm run docs:lifecycle`; a test keeps both the same. What no arrow shows is refused.';
  const chapters = all.map((machine) =>
    [`## ${capital(machine.name)}`, renderTable(machine), `\`\`\`mermaid\n${renderDiagram(machine)}\n\`\`\``].join('\n\n'),
  );
  return `${['# Lifecycles', intro, ...chapters].join('\n\n')}\n`;
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
