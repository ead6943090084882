import { z } from 'zod';
import { type ErrorCode, errors } from './errors.ts';

/** The body of every failure. */
export const ProblemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    code: z.enum(Object.keys(errors) as [ErrorCode, ...ErrorCode[]]),
    request_id: z.string(),
    feedback: z.record(z.string(), z.object({ type: z.literal('error'), value: z.string() })),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem details, with what was wrong field by field' });
