import { form } from '../amounts.ts'

export const enFormat = {
  short: {
    days: 'd',
    hours: 'h',
    minutes: 'min',
    seconds: 's',
  },
  long: {
    days: (p: { readonly amount: number }) => `${form(p.amount, 'day', 'days')}`,
    hours: (p: { readonly amount: number }) => `${form(p.amount, 'hour', 'hours')}`,
    minutes: (p: { readonly amount: number }) => `${form(p.amount, 'minute', 'minutes')}`,
    seconds: (p: { readonly amount: number }) => `${form(p.amount, 'second', 'seconds')}`,
  },
  never: 'never',
  now: 'now',
  on: (p: { readonly date: string }) => `on ${p.date}`,
  in: (p: { readonly time: string }) => `in ${p.time}`,
  ago: (p: { readonly time: string }) => `${p.time} ago`,
  range: (p: { readonly low: string; readonly high: string }) => `${p.low} to ${p.high}`,
}
