/** What a policy spent at one setting of its knob, as a share of the budget. */
export interface KnobSpending {
  readonly knob: number
  readonly share: number
}

/** Requests fall as the root of the price for most policies (refresh-science §1), as the factor itself for intervals. */
const USUAL = 0.6
const LEAST = 0.2
const MOST = 2
/** Knobs nearer to each other than this show noise alone. */
const APART = 0.02

/** By how many per cent requests fall when the knob rises by one, near the budget. */
export function elasticity(spent: readonly KnobSpending[]): number {
  const near = spent.filter(({ share }) => share > 0).sort((a, b) => distance(a) - distance(b))
  const [best] = near
  const other = near.find(({ knob }) => Math.abs(Math.log(knob / best!.knob)) > APART)
  if (best === undefined || other === undefined) return USUAL
  const fall = -Math.log(other.share / best.share) / Math.log(other.knob / best.knob)
  return fall > 0 ? Math.min(MOST, Math.max(LEAST, fall)) : USUAL
}

function distance({ share }: KnobSpending): number {
  return Math.abs(Math.log(share))
}
