// One start of the servers for all of them: a process is killed in the middle of what it does, and comes back.
import './kill-in-a-wake-up.ts';
import './kill-in-a-top-up.ts';
import './kill-in-a-credit-look.ts';
import './kill-in-a-wallet-step.ts';
import './kill-in-credits.ts';
import './kill-in-a-rollover.ts';
import './kill-in-a-plan-move.ts';
import './kill-at-a-threshold.ts';
import './usage-intake.ts';
