import './text-editor.css'
import type * as Monaco from 'monaco-editor/editor/editor.api'
import { useEffect, useRef, useState } from 'react'
import { createEditor } from './create-editor'
import { EchoGuard } from './echo-guard'
import { LEAVE_HINT, leaveByEscape } from './leave-by-escape'
import { loadMonaco, type MonacoApi } from './monaco'
import {
  type Highlight,
  type ShownText,
  type TextProblem,
  useHighlights,
  useProblems,
} from './text-marks'
import { useEditorTheme } from './use-editor-theme'

export type { Highlight, TextProblem } from './text-marks'

export interface TextEditorProps {
  text: string
  language: string
  label: string
  onChange(text: string): void
  problems?: readonly TextProblem[]
  highlights?: readonly Highlight[]
  onCursor?(offset: number): void
  /** @returns a function to call when the editor is disposed */
  onReady?(
    monaco: MonacoApi,
    model: Monaco.editor.ITextModel,
    editor: Monaco.editor.IStandaloneCodeEditor,
  ): (() => void) | undefined
  /** Height follows the text within these pixels; default: the container's height. */
  fit?: { least: number; most: number }
  options?: Monaco.editor.IStandaloneEditorConstructionOptions
}

const NONE: readonly never[] = []

export default function TextEditor(props: TextEditorProps) {
  const { text, label, onChange, problems = NONE, highlights = NONE, fit } = props
  const host = useRef<HTMLDivElement>(null)
  const shown = useEditor(host, props)
  const height = useContentHeight(shown)
  useText(shown, text)
  useProblems(shown, problems)
  useHighlights(shown, highlights)
  useEditorTheme(shown?.monaco)
  return (
    <div
      className="text-editor"
      style={fit && { height: Math.min(fit.most, Math.max(fit.least, height)) }}
    >
      <div ref={host} className="text-editor-host" />
      {shown === undefined && (
        <textarea
          className="plain-editor"
          aria-label={label}
          value={text}
          spellCheck={false}
          autoCapitalize="off"
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </div>
  )
}

function useEditor(
  host: React.RefObject<HTMLDivElement | null>,
  props: TextEditorProps,
): ShownText | undefined {
  const [shown, setShown] = useState<ShownText>()
  const latest = useRef(props)
  latest.current = props
  useEffect(() => {
    let disposed = false
    let end: (() => void) | undefined
    void loadMonaco().then((monaco) => {
      if (disposed || host.current === null) return
      const { text, language, label, options, onReady } = latest.current
      const model = monaco.editor.createModel(text, language)
      model.updateOptions({ tabSize: 2, insertSpaces: true })
      const editor = createEditor(monaco, host.current, {
        ...options,
        ariaLabel: `${label}. ${LEAVE_HINT}`,
      })
      editor.setModel(model)
      const echoes = new EchoGuard()
      model.onDidChangeContent(() => {
        const typed = model.getValue()
        if (echoes.isNew(typed, latest.current.text)) latest.current.onChange(typed)
      })
      editor.onDidChangeCursorPosition(({ position }) =>
        latest.current.onCursor?.(model.getOffsetAt(position)),
      )
      leaveByEscape(monaco, editor, () => focusBehind(host.current))
      const ended = onReady?.(monaco, model, editor)
      end = () => {
        ended?.()
        editor.dispose()
        model.dispose()
      }
      setShown({ monaco, editor, model, echoes })
    })
    return () => {
      disposed = true
      end?.()
    }
  }, [host])
  return shown
}

function useContentHeight(shown: ShownText | undefined): number {
  const [height, setHeight] = useState(0)
  useEffect(() => {
    if (shown === undefined) return
    const { editor } = shown
    setHeight(editor.getContentHeight())
    const listening = editor.onDidContentSizeChange(({ contentHeight }) => setHeight(contentHeight))
    return () => listening.dispose()
  }, [shown])
  return height
}

function focusBehind(host: HTMLElement | null): void {
  if (host === null) return
  const reachable = [
    ...document.querySelectorAll<HTMLElement>(
      'button, input, select, textarea, summary, [tabindex="0"]',
    ),
  ]
  const behind = reachable.find(
    (element) =>
      !host.contains(element) &&
      element.offsetParent !== null &&
      host.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING,
  )
  behind?.focus()
}

function useText(shown: ShownText | undefined, text: string): void {
  useEffect(() => {
    if (shown === undefined) return
    const { model, echoes } = shown
    if (echoes.isEcho(text, model.getValue())) return
    model.pushEditOperations([], [{ range: model.getFullModelRange(), text }], () => null)
  }, [shown, text])
}
