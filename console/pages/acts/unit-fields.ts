import type { FieldProblem } from '../../../billing/problem.ts';
import { fieldId } from '../../../portal/parts/form.ts';
import type { Html } from '../../../portal/parts/html.ts';
import { stepper } from '../../../portal/parts/stepper.ts';
import { UNITS_FIELD } from '../../../services/portal/change.ts';
import type { UnitChoice } from '../../../services/portal/unit-choices.ts';
import type { Visit } from '../../http/visit.ts';

/** A field for each number of units that can be chosen. */
export function unitFields(visit: Visit, units: readonly UnitChoice[], errors: ReadonlyMap<string, string>): Html[] {
  const { t, format, query } = visit;
  return units.map(({ key, name, units: usual, minimum, maximum, batchSize }) => {
    const field = `${UNITS_FIELD}${key}`;
    const isWhole = [usual, minimum, maximum ?? '0'].every((one) => !one.includes('.'));
    const [least, most] = [format.number(minimum), format.number(maximum ?? '0')];
    return stepper({
      id: fieldId(field),
      name: field,
      label: name,
      value: query(field) || usual,
      minimum,
      maximum,
      step: batchSize === null ? (isWhole ? '1' : 'any') : String(batchSize),
      hint: maximum === null ? t('sale.units_least', { least }) : t('sale.units_between', { least, most }),
      error: errors.get(field) ?? null,
      fewer: t('sale.fewer', { name }),
      more: t('sale.more', { name }),
    });
  });
}

/** The units that were typed, by their keys. */
export const unitsTyped = (units: readonly UnitChoice[], text: (name: string) => string): Record<string, string> =>
  Object.fromEntries(units.map(({ key }) => [key, text(`${UNITS_FIELD}${key}`)]).filter(([, typed]) => typed !== ''));

/** What is wrong with the units, by the field's name. */
export function unitErrors({ t, format }: Visit, units: readonly UnitChoice[], problems: readonly FieldProblem[]): Map<string, string> {
  return new Map(
    units.flatMap(({ key, name, minimum, maximum }): [string, string][] => {
      const field = `${UNITS_FIELD}${key}`;
      const problem = problems.find((one) => one.field === field);
      if (problem === undefined) return [];
      if (problem.code === 'below_minimum') return [[field, t('wrong.below_minimum', { name, least: format.number(minimum) })]];
      if (problem.code === 'above_maximum') return [[field, t('wrong.above_maximum', { name, most: format.number(maximum ?? '0') })]];
      return [[field, t('wrong.invalid_decimal', { name })]];
    }),
  );
}
