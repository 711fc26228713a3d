import { useView } from '../../state/view'
import { type EditorTab, useEditors } from './editors'

export function openNewFile(title: string, language: EditorTab['language'], text: string): void {
  useEditors.getState().open({ title, language, text })
  useView.getState().set({ pane: 'editor' })
}
