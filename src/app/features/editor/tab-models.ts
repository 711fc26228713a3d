import type * as Monaco from 'monaco-editor/editor/editor.api'
import { useEffect } from 'react'
import { type EditorTab, useEditors } from '../manifests/editors'
import type { MonacoApi } from './monaco'

export const uriOf = (monaco: MonacoApi, tab: EditorTab): Monaco.Uri =>
  monaco.Uri.parse(`file:///${tab.id}.${tab.language === 'yaml' ? 'yaml' : 'ts'}`)

function modelOf(monaco: MonacoApi, tab: EditorTab): Monaco.editor.ITextModel {
  const known = monaco.editor.getModel(uriOf(monaco, tab))
  if (known) return known
  const model = monaco.editor.createModel(tab.text, tab.language, uriOf(monaco, tab))
  model.updateOptions({ tabSize: 2, insertSpaces: true })
  model.onDidChangeContent(() => useEditors.getState().edit(tab.id, model.getValue()))
  disposeWhenClosed(tab.id, model)
  return model
}

/** Frees the undo history of closed tabs. */
function disposeWhenClosed(id: string, model: Monaco.editor.ITextModel): void {
  const stop = useEditors.subscribe(({ tabs }) => {
    if (tabs.some((tab) => tab.id === id)) return
    stop()
    setTimeout(() => {
      places.delete(id)
      model.dispose()
    })
  })
}

/** Scroll position and cursor by the id of the tab. */
const places = new Map<string, Monaco.editor.ICodeEditorViewState | null>()

export function useModel(
  monaco: MonacoApi | undefined,
  editor: Monaco.editor.IStandaloneCodeEditor | undefined,
  tab: EditorTab,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text changes through the model itself
  useEffect(() => {
    if (monaco === undefined || editor === undefined) return
    editor.setModel(modelOf(monaco, tab))
    editor.restoreViewState(places.get(tab.id) ?? null)
    return () => {
      places.set(tab.id, editor.saveViewState())
    }
  }, [monaco, editor, tab.id])

  // Another browser tab or an opened file can change the text.
  useEffect(() => {
    const model = monaco?.editor.getModel(uriOf(monaco, tab))
    // The rendered text can be older than the state.
    const text = useEditors.getState().tabs.find(({ id }) => id === tab.id)?.text
    if (model && text !== undefined && model.getValue() !== text)
      model.pushEditOperations([], [{ range: model.getFullModelRange(), text }], () => null)
  }, [monaco, tab])
}
