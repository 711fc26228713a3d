/** The code of a webhook or server in Monaco. */
import type * as Monaco from 'monaco-editor/editor/editor.api'
import { useEffect, useRef } from 'react'
import { editorTheme, loadMonaco } from '../../editor/monaco'
import { useView } from '../../state/view'

interface SourceEditorProps {
  /** Of what is edited: another one gets another history. */
  id: number
  text: string
  onChange(text: string): void
  onSave(): void
}

export default function SourceEditor({ id, text, onChange, onSave }: SourceEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Monaco.editor.IStandaloneCodeEditor>(undefined)
  const now = useRef({ text, onChange, onSave })
  now.current = { text, onChange, onSave }
  const theme = useView((state) => state.theme)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text goes into a model of its own, once
  useEffect(() => {
    let model: Monaco.editor.ITextModel | undefined
    let disposed = false
    void loadMonaco().then((monaco) => {
      if (disposed || host.current === null) return
      model = monaco.editor.createModel(now.current.text, 'typescript')
      model.updateOptions({ tabSize: 2, insertSpaces: true })
      model.onDidChangeContent(() => now.current.onChange(model?.getValue() ?? ''))
      editor.current = monaco.editor.create(host.current, {
        model,
        theme: editorTheme(),
        automaticLayout: true,
        minimap: { enabled: false },
        fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--mono'),
        fontSize: 12.5,
        lineHeight: 20,
        lineNumbersMinChars: 3,
        padding: { top: 10, bottom: 10 },
        scrollBeyondLastLine: false,
        renderLineHighlight: 'none',
        wordWrap: 'on',
        overviewRulerLanes: 0,
        fixedOverflowWidgets: true,
        ariaLabel: 'Code of the webhook. Press Escape to leave the editor.',
      })
      editor.current.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyS, () => now.current.onSave())
      editor.current.addCommand(
        monaco.KeyCode.Escape,
        () => host.current?.closest('section')?.querySelector<HTMLElement>('input')?.focus(),
        '!suggestWidgetVisible && !findWidgetVisible && !editorHasSelection && !parameterHintsVisible',
      )
    })
    return () => {
      disposed = true
      editor.current?.dispose()
      editor.current = undefined
      model?.dispose()
    }
  }, [id])

  // The text changes from outside when another sample is begun.
  useEffect(() => {
    const model = editor.current?.getModel()
    if (model && model.getValue() !== text) model.setValue(text)
  }, [text])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of theme is the reason to ask again
  useEffect(() => {
    void loadMonaco().then((monaco) => monaco.editor.setTheme(editorTheme()))
  }, [theme])

  return <div className="handlers-source" ref={host} />
}
