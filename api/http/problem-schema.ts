import { z } from 'zod';
import { type ErrorCode, errors } from './errors.ts';

/** The body of every failure. */
export const ProblemSchema = z
  .object({
    type: z.string().describe('Path of the page that explains the code.'),
    title: z.string().describe('The code in words, always the same for one code.'),
    status: z.int().describe('The HTTP status again.'),
    detail: z.string().describe('What was wrong this time, and what to do.'),
    instance: z.string().describe('Path of the request.'),
    code: z.enum(Object.keys(errors) as [ErrorCode, ...ErrorCode[]]).describe('What to decide by: stable, of a closed list.'),
    request_id: z.string().describe('Names the request in our logs; the same as the header `request-id`.'),
    feedback: z
      .record(
        z.string(),
        z.object({
          type: z.literal('error').describe('Always `error`.'),
          value: z.string().describe('What was wrong, and what to give instead.'),
        }),
      )
      .describe('What was wrong, by field (`pricings[0].currency`) or subject.'),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem details, with what was wrong field by field.' });
