import { hash } from 'node:crypto';
import type pg from 'pg';
import { statementWords } from './statement.ts';

const names = new Map<string, string>();

/** The name a statement is prepared under. */
export function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `${statementWords(text).kind}_${hash('sha256', text).slice(0, 16)}`;
  names.set(text, name);
  return name;
}

type Ask = (...args: unknown[]) => unknown;

/**
 * Statements that the connections of a pool have prepared. A migration that runs meanwhile may change the columns of
 * one: then all are prepared again, under names with the next generation's number.
 */
export class KeptPlans {
  readonly #isOn: boolean;
  readonly #texts = new Set<string>();
  #generation = 0;

  /** @param isOn false: nothing is prepared, because the next statement may reach another connection */
  constructor(isOn = true) {
    this.#isOn = isOn;
  }

  get generation(): number {
    return this.#generation;
  }

  /** From now on transactions that send this text have it prepared. */
  keep(text: string): void {
    if (this.#isOn) this.#texts.add(text);
  }

  /** The name to send a statement under; undefined: it is sent without one. */
  nameNow(name: string): string | undefined {
    return this.#isOn ? `${name}_${this.#generation}` : undefined;
  }

  /**
   * @param began the generation in which the refused statement was sent: several may be refused at once, and only the
   * first starts a new generation
   */
  renew(began: number): void {
    if (this.#generation === began) this.#generation += 1;
  }

  /** Transactions send plain texts to their connection: the ones named by `keep` are prepared there. */
  install(client: pg.PoolClient): void {
    const ask = client.query.bind(client) as Ask;
    const query: Ask = (...args) => {
      const [text, values] = args;
      if (typeof text !== 'string' || !this.#texts.has(text)) return ask(...args);
      return ask({ name: this.nameNow(nameOf(text)), text, values }, ...args.slice(2));
    };
    Object.assign(client, { query });
  }
}
