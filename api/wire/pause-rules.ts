import type { z } from 'zod';
import { type CopiedPauseRules, type GivenPauseRules, pauseRule, pauseRulePlace } from '../../billing/contract/period/pause-rules.ts';
import type { OwnPauseRules, PausePreferencesRequest, PauseRules, PauseRulesFrom, PauseRulesRequest } from '../schema/pause-rules.ts';

type Input = z.output<typeof PauseRulesRequest>;

/** The rules that are given; null is one only of days. */
export function pauseRulesFromWire(body: Input | null | undefined): GivenPauseRules {
  const { resume_after_days, usage, trial, expiration, discount } = body ?? {};
  return {
    ...(resume_after_days === undefined ? {} : { resumeAfterDays: resume_after_days }),
    ...(usage == null ? {} : { usage }),
    ...(trial == null ? {} : { trial }),
    ...(expiration == null ? {} : { expiration }),
    ...(discount == null ? {} : { discount }),
  };
}

/** A vendor's rules after a request: null gives the default again. */
export function pausePreferencesFromWire({ pause_rules, ...own }: z.output<typeof PausePreferencesRequest>) {
  const body = { ...pause_rules, ...own };
  const after = <T>(given: T | undefined, before: T | undefined): T | undefined => (given === undefined ? before : given);
  return (before: GivenPauseRules): GivenPauseRules =>
    pauseRulesFromWire({
      // null days are the default, which nobody has given
      resume_after_days: after(body.resume_after_days, before.resumeAfterDays) ?? undefined,
      usage: after(body.usage, before.usage),
      trial: after(body.trial, before.trial),
      expiration: after(body.expiration, before.expiration),
      discount: after(body.discount, before.discount),
    });
}

/** The rules that hold, with the defaults. */
export const pauseRulesToWire = (copied: CopiedPauseRules): z.input<typeof PauseRules> => ({
  resume_after_days: pauseRule(copied, 'resumeAfterDays'),
  usage: pauseRule(copied, 'usage'),
  trial: pauseRule(copied, 'trial'),
  expiration: pauseRule(copied, 'expiration'),
  discount: pauseRule(copied, 'discount'),
});

export const pauseRulesFromToWire = (copied: CopiedPauseRules): z.input<typeof PauseRulesFrom> => ({
  resume_after_days: pauseRulePlace(copied, 'resumeAfterDays'),
  usage: pauseRulePlace(copied, 'usage'),
  trial: pauseRulePlace(copied, 'trial'),
  expiration: pauseRulePlace(copied, 'expiration'),
  discount: pauseRulePlace(copied, 'discount'),
});

export const ownPauseRulesToWire = ({
  resumeAfterDays,
  usage,
  trial,
  expiration,
  discount,
}: GivenPauseRules): z.input<typeof OwnPauseRules> => ({
  ...(resumeAfterDays === undefined ? {} : { resume_after_days: resumeAfterDays }),
  usage: usage ?? null,
  trial: trial ?? null,
  expiration: expiration ?? null,
  discount: discount ?? null,
});
