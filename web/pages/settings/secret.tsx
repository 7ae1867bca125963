import { CopyButton } from '../../ui/copy-button.tsx'

/** Something that cannot be shown again. */
export function Secret({ title, secret }: { readonly title: string; readonly secret: string }) {
  return (
    <div className="notice stack tight" role="status">
      <strong>{title}</strong>
      <div className="row">
        <code className="secret">{secret}</code>
        <CopyButton text={secret} />
      </div>
    </div>
  )
}
