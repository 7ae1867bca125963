import type { Observation } from '../model/index.ts'
import type { NextCheck, RefreshPlan } from '../refresh/scheduler/scheduler.ts'

export type { NextCheck, RefreshPlan as PlannedCheck } from '../refresh/scheduler/scheduler.ts'

/** Learns from a refresh and plans the next; `notBefore` is what the publisher asks for. */
export type Planner = (observation: Observation, notBefore: NextCheck | null) => RefreshPlan
