/** SQL: a contract takes reports of a feature. Usage prices charge them, prices of bought units show them. */
export const takesUsage = (contract: string, slug: string): string =>
  `exists (select from jsonb_array_elements(${contract}.terms -> 'features') f
    where f ->> 'slug' = ${slug} and f #>> '{price,strategy,kind}' <> 'flat')`;
