/** One Monaco editor for all tabs; each tab has its own model, undo history and cursor. */
import type * as Monaco from 'monaco-editor/editor/editor.api'
import { useEffect, useRef, useState } from 'react'
import { runCommand } from '../../commands/registry'
import { useConnection } from '../../state/connection'
import type { EditorTab } from '../manifests/editors'
import { useExpressionChecks } from './cel-checks'
import { createEditor } from './create-editor'
import { LEAVE_HINT, leaveByEscape } from './leave-by-escape'
import { useManifestHealth } from './manifest-health'
import { loadMonaco, type MonacoApi } from './monaco'
import { PlainEditor } from './PlainEditor'
import { EXPLAIN, explainAtCursor } from './shown-editor'
import { uriOf, useModel } from './tab-models'
import { useChecks, useServerMarkers } from './tab-problems'
import { EDITOR } from './texts'
import { useEditorTheme } from './use-editor-theme'

export { explainField, focusEditor, revealLine } from './shown-editor'

export default function CodeEditor({ tab }: { tab: EditorTab }) {
  const host = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<{
    monaco: MonacoApi
    editor: Monaco.editor.IStandaloneCodeEditor
  }>()

  useEffect(() => {
    let editor: Monaco.editor.IStandaloneCodeEditor | undefined
    let disposed = false
    // Loads after the server starts, because both compile megabytes.
    const { ready } = useConnection.getState()
    void ready.then(loadMonaco).then((monaco) => {
      if (disposed || host.current === null) return
      editor = manifestEditor(monaco, host.current)
      setShown({ monaco, editor })
    })
    return () => {
      disposed = true
      editor?.dispose()
    }
  }, [])

  useModel(shown?.monaco, shown?.editor, tab)
  useEditorTheme(shown?.monaco)
  useChecks(shown?.monaco, tab)
  useServerMarkers(shown?.monaco, tab)
  useManifestHealth(shown?.editor, tab)
  useExpressionChecks(shown?.monaco, tab, (monaco) => uriOf(monaco, tab).toString())
  return (
    <>
      <div ref={host} />
      {shown === undefined && <PlainEditor tab={tab} />}
    </>
  )
}

function manifestEditor(monaco: MonacoApi, host: HTMLElement): Monaco.editor.IStandaloneCodeEditor {
  const editor = createEditor(monaco, host, { ariaLabel: EDITOR.label(LEAVE_HINT) })
  editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.Enter, () => runCommand('run'))
  editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyMod.Shift | monaco.KeyCode.Enter, () =>
    runCommand('dry-run'),
  )
  editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyK, () => runCommand('palette'))
  editor.addAction({
    id: EXPLAIN,
    label: EDITOR.explain,
    keybindings: [monaco.KeyMod.Shift | monaco.KeyCode.F1],
    contextMenuGroupId: 'navigation',
    run: explainAtCursor,
  })
  leaveByEscape(monaco, editor, () =>
    host.closest('section')?.querySelector<HTMLElement>('[data-after-editor]')?.focus(),
  )
  return editor
}
