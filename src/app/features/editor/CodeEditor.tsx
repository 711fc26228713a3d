/** One Monaco editor for all tabs. Each tab keeps its model, with undo history and cursor. */
import type * as Monaco from 'monaco-editor/editor/editor.api'
import { useEffect, useRef, useState } from 'react'
import { runCommand } from '../../commands/registry'
import { useConnection } from '../../state/connection'
import { resourceOfKind, useDiscovery } from '../../state/discovery'
import type { Problem } from '../manifests/documents'
import { activeTab, type EditorTab, useEditors } from '../manifests/editors'
import { useResults } from '../manifests/results'
import { useExpressionChecks } from './cel-checks'
import { createEditor } from './create-editor'
import { LEAVE_HINT, leaveByEscape } from './leave-by-escape'
import { loadMonaco, type MonacoApi } from './monaco'
import { PlainEditor } from './PlainEditor'
import { useEditorTheme } from './use-editor-theme'

const CHECK_MILLISECONDS = 200

export default function CodeEditor({ tab }: { tab: EditorTab }) {
  const host = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<{
    monaco: MonacoApi
    editor: Monaco.editor.IStandaloneCodeEditor
  }>()

  useEffect(() => {
    let editor: Monaco.editor.IStandaloneCodeEditor | undefined
    let disposed = false
    // Loads after the server starts, because both compile megabytes. A plain editor bridges the
    // time.
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
  useExpressionChecks(shown?.monaco, tab, (monaco) => uriOf(monaco, tab).toString())
  return (
    <>
      <div ref={host} />
      {shown === undefined && <PlainEditor tab={tab} />}
    </>
  )
}

function manifestEditor(monaco: MonacoApi, host: HTMLElement): Monaco.editor.IStandaloneCodeEditor {
  const editor = createEditor(monaco, host, { ariaLabel: `Manifest or script. ${LEAVE_HINT}` })
  editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.Enter, () => runCommand('run'))
  editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyMod.Shift | monaco.KeyCode.Enter, () =>
    runCommand('dry-run'),
  )
  editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyK, () => runCommand('palette'))
  editor.addAction({
    id: EXPLAIN,
    label: 'Explain this field',
    keybindings: [monaco.KeyMod.Shift | monaco.KeyCode.F1],
    contextMenuGroupId: 'navigation',
    run: explainAtCursor,
  })
  leaveByEscape(monaco, editor, () =>
    host.closest('section')?.querySelector<HTMLElement>('[data-after-editor]')?.focus(),
  )
  return editor
}

const uriOf = (monaco: MonacoApi, tab: EditorTab): Monaco.Uri =>
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

/** Disposes models of closed tabs, whose undo history would occupy memory. */
function disposeWhenClosed(id: string, model: Monaco.editor.ITextModel): void {
  const stop = useEditors.subscribe(({ tabs }) => {
    if (tabs.some((tab) => tab.id === id)) return
    stop()
    // The editor switches to another model first.
    setTimeout(() => {
      places.delete(id)
      model.dispose()
    })
  })
}

const places = new Map<string, Monaco.editor.ICodeEditorViewState | null>()

function useModel(
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

  // The text may change from outside: by another browser tab, or a file that is opened.
  useEffect(() => {
    const model = monaco?.editor.getModel(uriOf(monaco, tab))
    // The rendered text can be older than the state.
    const text = useEditors.getState().tabs.find(({ id }) => id === tab.id)?.text
    if (model && text !== undefined && model.getValue() !== text)
      model.pushEditOperations([], [{ range: model.getFullModelRange(), text }], () => null)
  }, [monaco, tab])
}

function mark(
  monaco: MonacoApi,
  tab: EditorTab,
  owner: string,
  problems: readonly Problem[],
): void {
  const model = monaco.editor.getModel(uriOf(monaco, tab))
  if (!model) return
  const markers = problems.map(
    ({ message, severity, startLine, startColumn, endLine, endColumn }) => ({
      message,
      severity: severity === 'error' ? monaco.MarkerSeverity.Error : monaco.MarkerSeverity.Warning,
      startLineNumber: startLine,
      startColumn,
      endLineNumber: endLine,
      endColumn,
      source: owner,
    }),
  )
  monaco.editor.setModelMarkers(model, owner, markers)
}

/** Validates the text against the type model while the user types. */
function useChecks(monaco: MonacoApi | undefined, tab: EditorTab): void {
  const resources = useDiscovery((state) => state.resources)
  useEffect(() => {
    if (monaco === undefined || tab.language !== 'yaml') return
    const timer = setTimeout(async () => {
      const { checkManifest } = await import('./check')
      const served = (apiVersion: string, kind: string) =>
        resources.length === 0 || resourceOfKind(resources, apiVersion, kind) !== undefined
      mark(monaco, tab, 'type model', checkManifest(tab.text, served))
    }, CHECK_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [monaco, tab, resources])
}

/** Shows the server's errors for the last send of this tab. */
function useServerMarkers(monaco: MonacoApi | undefined, tab: EditorTab): void {
  const results = useResults((state) => state.results)
  const text = useResults((state) => state.text)
  const sent = useResults((state) => state.tab)
  useEffect(() => {
    if (monaco === undefined || tab.language !== 'yaml') return
    if (sent !== tab.id) return mark(monaco, tab, 'server', [])
    void import('./markers').then(({ serverProblems }) =>
      mark(monaco, tab, 'server', serverProblems(results, text, tab.text)),
    )
  }, [monaco, tab, results, text, sent])
}

/** The editor's action that explains the field at the cursor. */
const EXPLAIN = 'explain-field'

async function explainAtCursor(editor: Monaco.editor.ICodeEditor): Promise<void> {
  const [model, position] = [editor.getModel(), editor.getPosition()]
  if (model === null || position === null) return
  const [{ fieldAt }, { explain }] = await Promise.all([
    import('./yaml-language'),
    import('../explain/state'),
  ])
  const field = fieldAt(model.getValue(), position)
  const anchor = document.activeElement instanceof HTMLElement ? document.activeElement : undefined
  if (field) explain({ field }, anchor)
}

/** A shown editor needs some frames until it is created. */
const FRAMES = 60

/** Returns the editor that shows the active file: other editors of the page may be open too. */
async function shownEditor(): Promise<Monaco.editor.ICodeEditor | undefined> {
  const monaco = await loadMonaco()
  for (let frame = 0; frame < FRAMES; frame++) {
    const uri = uriOf(monaco, activeTab(useEditors.getState())).toString()
    const editor = monaco.editor
      .getEditors()
      .find((candidate) => candidate.getModel()?.uri.toString() === uri)
    if (editor !== undefined) return editor
    await new Promise(requestAnimationFrame)
  }
  return undefined
}

/** Explains the field at the cursor of the shown editor. */
export async function explainField(): Promise<void> {
  const editor = await shownEditor()
  editor?.focus()
  await editor?.getAction(EXPLAIN)?.run()
}

/** Moves the keyboard's focus into the shown editor. */
export async function focusEditor(): Promise<void> {
  const editor = await shownEditor()
  editor?.focus()
}

/** Moves the cursor of the shown editor to a line. */
export async function revealLine(line: number): Promise<void> {
  const editor = await shownEditor()
  editor?.revealLineInCenter(line)
  editor?.setPosition({ lineNumber: line, column: 1 })
  editor?.focus()
}
