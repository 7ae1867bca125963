import type { ModelReader } from '../../api/services.ts'
import { DAY_MS, HOUR_MS } from '../../model/index.ts'
import { expectedItems, type Intensity, meanRatePerHour, rateAt } from '../../refresh/intensity.ts'
import type { LearntModel } from '../../refresh/strategy.ts'
import type { StoredModel } from '../../store/scheduling.ts'

/** Monday, 5 January 1970. */
const A_MONDAY = 4 * DAY_MS
const FAR_MS = 400 * DAY_MS

/** Stored models as people read them. `learnt`: what the running strategy learns; models of another say nothing. */
export function createModelReader(learnt: () => LearntModel<unknown>): ModelReader {
  const intensityOf = (model: StoredModel | null): Intensity | null => {
    const memory = model === null ? null : memoryOf(model, learnt())
    return memory === null ? null : (learnt().believes?.(memory.value).intensity ?? null)
  }
  return {
    ratePerHour(model) {
      const intensity = intensityOf(model)
      return intensity === null ? null : meanRatePerHour(intensity)
    },
    week(model) {
      const intensity = intensityOf(model)
      return intensity && Array.from({ length: 7 }, (_, day) => dayOf(intensity, A_MONDAY + day * DAY_MS))
    },
    expected(model, from, to) {
      const intensity = intensityOf(model)
      return intensity && expectedItems(intensity, from, to)
    },
    reaches(model, from, items) {
      const intensity = intensityOf(model)
      return intensity && firstTimeReached(intensity, from, items)
    },
  }
}

function dayOf(intensity: Intensity, start: number): number[] {
  return Array.from({ length: 24 }, (_, hour) => rateAt(intensity, start + hour * HOUR_MS))
}

function memoryOf(model: StoredModel, learnt: LearntModel<unknown>): { readonly value: unknown } | null {
  if (model.form !== (learnt.memoryForm ?? learnt.id)) return null
  const { packing } = learnt
  const bytes = Uint8Array.from(model.state)
  if (packing !== undefined) {
    if (bytes.byteLength !== packing.floats * 4) return null
    return { value: packing.unpack(new Float32Array(bytes.buffer), 0) }
  }
  try {
    return { value: JSON.parse(new TextDecoder().decode(bytes)) }
  } catch {
    return null
  }
}

/** By halving: expected items only grow with time. */
function firstTimeReached(intensity: Intensity, from: number, items: number): number | null {
  let [early, late] = [from, from + FAR_MS]
  if (expectedItems(intensity, from, late) < items) return null
  while (late - early > 1_000) {
    const middle = (early + late) / 2
    if (expectedItems(intensity, from, middle) < items) early = middle
    else late = middle
  }
  return Math.round(late)
}
