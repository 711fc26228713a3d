import type * as Monaco from 'monaco-editor/editor/editor.api'
import type * as TypeScriptFeatures from 'monaco-editor/languages/features/typescript/register'

export type MonacoApi = typeof Monaco & { typescript: typeof TypeScriptFeatures }

let loading: Promise<MonacoApi> | undefined

export function loadMonaco(): Promise<MonacoApi> {
  loading ??= import('./monaco-setup').then(({ monaco, typescript }) => ({ ...monaco, typescript }))
  return loading
}

export const editorTheme = (): string => {
  const chosen = document.documentElement.dataset.theme
  const dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  return dark ? 'kubetab-dark' : 'kubetab-light'
}
