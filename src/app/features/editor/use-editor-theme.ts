import { useEffect } from 'react'
import { useView } from '../../state/view'
import { editorTheme, type MonacoApi } from './monaco'

export function useEditorTheme(monaco: MonacoApi | undefined): void {
  const theme = useView((state) => state.theme)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the theme changes
  useEffect(() => {
    if (monaco === undefined) return
    const apply = () => monaco.editor.setTheme(editorTheme())
    apply()
    const system = matchMedia('(prefers-color-scheme: dark)')
    system.addEventListener('change', apply)
    return () => system.removeEventListener('change', apply)
  }, [monaco, theme])
}
