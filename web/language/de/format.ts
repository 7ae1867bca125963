import { form } from '../amounts.ts'
import type { Words } from '../words.ts'

export const deFormat = {
  short: {
    days: 'd',
    hours: 'h',
    minutes: 'min',
    seconds: 's',
  },
  long: {
    days: (p: { readonly amount: number }) => `${form(p.amount, 'Tag', 'Tage')}`,
    hours: (p: { readonly amount: number }) => `${form(p.amount, 'Stunde', 'Stunden')}`,
    minutes: (p: { readonly amount: number }) => `${form(p.amount, 'Minute', 'Minuten')}`,
    seconds: (p: { readonly amount: number }) => `${form(p.amount, 'Sekunde', 'Sekunden')}`,
  },
  never: 'nie',
  now: 'jetzt',
  on: (p: { readonly date: string }) => `am ${p.date}`,
  in: (p: { readonly time: string }) => `in ${p.time}`,
  ago: (p: { readonly time: string }) => `vor ${p.time}`,
  range: (p: { readonly low: string; readonly high: string }) => `${p.low} bis ${p.high}`,
} satisfies Words['format']
