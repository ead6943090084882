/**
 * SQL: a line of usage was made with another one as charged before it, a part that an invoice threshold had made:
 * `hasBilled` of billing/invoice/parts.ts.
 */
export const takesPart = (later: string, part: string): string => `exists (
      select from json_array_elements(${later}.derivation #> '{billed,places}') place
      where place ->> 'contractId' = ${part}.contract_id and (place ->> 'idx')::int = ${part}.period_idx and ${part}.part <= (place ->> 'upTo')::int
        and not coalesce((place -> 'without')::jsonb @> to_jsonb(${part}.part), false))`;
