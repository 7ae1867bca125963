import { chooseLanguage, chosenLanguage, t } from '../language/current.ts'
import { isLanguage, LANGUAGES } from '../language/locale.ts'
import { Field } from './field.tsx'

/** Kept by this browser; each language is named in itself. */
export function LanguageChoice() {
  return (
    <Field label={t.shell.language}>
      {(ids) => (
        <select
          {...ids}
          value={chosenLanguage() ?? ''}
          onChange={(event) => chooseLanguage(isLanguage(event.target.value) ? event.target.value : null)}
        >
          <option value="">{t.shell.asBrowser}</option>
          {Object.entries(LANGUAGES).map(([code, name]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
