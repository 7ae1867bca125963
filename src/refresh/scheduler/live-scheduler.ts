import type { Scheduler } from './scheduler.ts'

/** What a running node asks of a scheduler, whether its strategy has a price (scheduler.ts) or goes in cycles (cycles/). */
export interface LiveScheduler
  extends Pick<
    Scheduler<unknown>,
    // What it is told.
    | 'upsert'
    | 'remove'
    | 'has'
    | 'setWeight'
    | 'setPayers'
    | 'setParts'
    | 'setBudget'
    | 'requestRefresh'
    | 'shift'
    // A refresh.
    | 'take'
    | 'postpone'
    | 'plan'
    | 'finish'
    | 'retry'
    | 'reserve'
    | 'hurriesAfterLoss'
    // What outlasts a restart.
    | 'resume'
    | 'resumeLearning'
    | 'snapshot'
    | 'form'
    | 'memory'
    | 'relearn'
    | 'catchUp'
    | 'takeChanged'
    | 'untakeChanged'
    | 'changedCount'
    // What it shows.
    | 'price'
    | 'size'
    | 'beliefs'
    | 'isLearning'
    | 'beliefsOf'
    | 'explain'
    | 'lastRefreshAt'
  > {}
