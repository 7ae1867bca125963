import { expect, it } from 'vitest'
import { seededRandom } from '../../../runtime/random.ts'
import { bendWeek } from './bend.ts'
import { DAYS, FLAT_TABLES, HOURS, readyTables, WEEK_HOURS } from './tables.ts'

const random = seededRandom(1)
const factors = (count: number) => Float64Array.from({ length: count }, () => 0.2 + random())

it('a week is the shared week times own hours and days, mean 1, and says what passed before each hour', () => {
  const mean = readyTables(FLAT_TABLES).weeks[0]!.intensity
  const weekdays = factors(HOURS)
  const weekend = factors(HOURS)
  const best = Float64Array.from({ length: WEEK_HOURS }, (_, hour) =>
    hour < 5 * HOURS ? weekdays[hour % HOURS]! : weekend[hour % HOURS]!,
  )
  const [hours, days, weight] = [factors(HOURS), factors(DAYS), 0.3]
  const bent = Float64Array.from(best, (share, hour) => {
    const shared = mean[hour]! + weight * (share - mean[hour]!)
    return shared * hours[hour % HOURS]! * days[Math.floor(hour / HOURS)]!
  })
  const scale = WEEK_HOURS / bent.reduce((sum, each) => sum + each, 0)
  const into = new Float64Array(WEEK_HOURS)
  const before = new Float64Array(WEEK_HOURS + 1)
  bendWeek(into, before, best, mean, weight, hours, days)
  let passed = 0
  for (let hour = 0; hour < WEEK_HOURS; hour++) {
    expect(into[hour]).toBeCloseTo(bent[hour]! * scale, 12)
    expect(before[hour]).toBeCloseTo(passed, 10)
    passed += bent[hour]! * scale
  }
  expect(before[WEEK_HOURS]).toBeCloseTo(WEEK_HOURS, 10)
})
