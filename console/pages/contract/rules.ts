import { pauseRule, pauseRulePlace } from '../../../billing/contract/period/pause-rules.ts';
import { CHANGE_DIRECTIONS, changeRuleOf } from '../../../billing/contract/terms/change-rules.ts';
import type { Contract } from '../../../billing/contract/types.ts';
import type { Html } from '../../../portal/parts/html.ts';
import type { Visit } from '../../http/visit.ts';
import { tableSection } from '../list-page.ts';

/** How the contract may be changed, each rule with the place that it comes from. */
export function changeRulesSection(visit: Visit, copied: Contract['changeRules']): Html {
  const { t } = visit;
  return tableSection(visit, 'change-rules', t('rules.change_title'), {
    columns: [t('rules.direction'), t('rules.when'), t('rules.proration'), t('rules.collect'), t('rules.credit'), t('rules.from')].map(
      (title) => ({ title }),
    ),
    rows: CHANGE_DIRECTIONS.map((direction) => {
      const { when, proration, collect, credit, from } = changeRuleOf(copied, direction);
      return [
        t(`rules.${direction}`),
        t(`rules.when_${when}`),
        t(`rules.proration_${proration}`),
        t(`rules.collect_${collect}`),
        t(`rules.credit_${credit}`),
        t(`rules.from_${from}`),
      ];
    }),
  });
}

/** What a freeze of the customer means for the contract. */
export function pauseRulesSection(visit: Visit, copied: Contract['pauseRules']): Html {
  const { t } = visit;
  const days = pauseRule(copied, 'resumeAfterDays');
  const moved = (['trial', 'expiration', 'discount'] as const).map((name) => [
    t(`rules.pause_${name}`),
    t(`rules.pause_${pauseRule(copied, name)}`),
    t(`rules.from_${pauseRulePlace(copied, name)}`),
  ]);
  return tableSection(visit, 'pause-rules', t('rules.pause_title'), {
    columns: [t('rules.pause_what'), t('rules.pause_rule'), t('rules.from')].map((title) => ({ title })),
    rows: [
      [
        t('rules.pause_end'),
        days === null ? t('rules.pause_open') : t('rules.pause_days', { days }),
        t(`rules.from_${pauseRulePlace(copied, 'resumeAfterDays')}`),
      ],
      [t('rules.pause_usage'), t(`rules.pause_${pauseRule(copied, 'usage')}`), t(`rules.from_${pauseRulePlace(copied, 'usage')}`)],
      ...moved,
    ],
  });
}
