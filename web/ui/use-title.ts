import { useEffect } from 'react'
import { t } from '../language/current.ts'

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = t.common.titleOf({ title })
  }, [title])
}
