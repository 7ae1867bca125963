import { type FormEvent, useState } from 'react'
import type { SourceDetail, SourcePatch } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { t } from '../../language/current.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Failure } from '../../ui/notice.tsx'

interface EditSourceProps {
  readonly source: SourceDetail
  readonly onClose: () => void
  readonly onSaved: () => void
}

const MINUTE_MS = 60_000

export function EditSource({ source, onClose, onSaved }: EditSourceProps) {
  const [form, setForm] = useState(() => formOf(source))
  const save = useAction(async () => {
    await call('setSource', { params: { id: source.id }, body: patchOf(form, source) })
    onSaved()
    onClose()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.run()
  }
  const text = (name: keyof Form, label: string, help?: string) => (
    <Field label={label} {...(help === undefined ? {} : { help })}>
      {(ids) => (
        <input {...ids} value={form[name]} onChange={(event) => setForm({ ...form, [name]: event.target.value })} />
      )}
    </Field>
  )
  return (
    <Dialog title={t.source.editSource} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        {text('name', t.session.name, t.source.nameHelp)}
        {text('url', t.source.address)}
        {text('categories', t.source.categories, t.source.categoriesHelp)}
        {text('weight', t.source.weight, t.source.weightHelp)}
        {text('intervalMinutes', t.source.fixedInterval, t.source.fixedHelp)}
        {text('allowance', t.source.mostADay, t.source.mostHelp)}
        <Field label={t.source.newPages} help={t.source.newPagesHelp}>
          {(ids) => (
            <select {...ids} value={form.pages} onChange={(event) => setForm({ ...form, pages: event.target.value })}>
              <option value="off">{t.source.leftAlone}</option>
              <option value="fetch">{t.source.fetchedOnce}</option>
              <option value="follow">{t.source.fetchedAgain}</option>
            </select>
          )}
        </Field>
        {text('userAgent', t.source.userAgent, t.source.asAll)}
        {text('proxyUrl', t.source.proxy)}
        {text('authUser', t.source.authUser)}
        <Field label={t.source.authPassword} help={t.source.asItWas}>
          {(ids) => (
            <input
              {...ids}
              type="password"
              autoComplete="off"
              value={form.authPassword}
              onChange={(event) => setForm({ ...form, authPassword: event.target.value })}
            />
          )}
        </Field>
        <Failure error={save.error} />
        <div>
          <button type="submit" className="button main" disabled={save.isRunning}>
            {t.source.save}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface Form {
  readonly name: string
  readonly url: string
  readonly categories: string
  readonly weight: string
  readonly intervalMinutes: string
  readonly allowance: string
  readonly pages: string
  readonly userAgent: string
  readonly proxyUrl: string
  readonly authUser: string
  readonly authPassword: string
}

function formOf(source: SourceDetail): Form {
  return {
    name: source.ownName ?? '',
    url: source.url,
    categories: source.categories.join(', '),
    weight: String(source.weight),
    intervalMinutes: source.intervalMs === null ? '' : String(source.intervalMs / MINUTE_MS),
    allowance: source.dailyAllowance === null ? '' : String(source.dailyAllowance),
    pages: source.pages,
    userAgent: source.userAgent ?? '',
    proxyUrl: source.proxyUrl ?? '',
    authUser: source.basicAuthUser ?? '',
    authPassword: '',
  }
}

function pagesOf(text: string): NonNullable<SourcePatch['pages']> {
  return text === 'fetch' || text === 'follow' ? text : 'off'
}

/** Only what was changed: an address shown without its password must not replace the one with it. */
function patchOf(form: Form, source: SourceDetail): SourcePatch {
  const before = formOf(source)
  const patch: SourcePatch = {}
  if (form.name !== before.name) patch.name = orNull(form.name)
  if (form.url !== before.url) patch.url = form.url.trim()
  if (form.categories !== before.categories)
    patch.categories = form.categories.split(',').flatMap((one) => orNull(one) ?? [])
  if (form.weight !== before.weight) patch.weight = Number(form.weight)
  if (form.intervalMinutes !== before.intervalMinutes) {
    patch.intervalMs = form.intervalMinutes.trim() === '' ? null : Number(form.intervalMinutes) * MINUTE_MS
  }
  if (form.allowance !== before.allowance) patch.dailyAllowance = allowanceOf(form.allowance.trim())
  if (form.pages !== before.pages) patch.pages = pagesOf(form.pages)
  if (form.userAgent !== before.userAgent) patch.userAgent = orNull(form.userAgent)
  if (form.proxyUrl !== before.proxyUrl) patch.proxyUrl = orNull(form.proxyUrl)
  if (form.authUser === '' && before.authUser !== '') patch.basicAuth = null
  if (form.authPassword !== '') patch.basicAuth = { user: form.authUser, password: form.authPassword }
  return patch
}

/** What is no number is refused by the node, with the reason. */
function allowanceOf(text: string): number | 'off' | null {
  if (text === '') return null
  return text === 'off' ? 'off' : Number(text)
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim()
}
