/** Monaco for one tab at a time; every tab keeps its own model, and with it its undo history and place. */
import type * as Monaco from 'monaco-editor/editor/editor.api'
import { useEffect, useRef, useState } from 'react'
import { commands } from '../commands'
import { locate, parseManifest } from '../manifests/documents'
import { resourceOfKind, useDiscovery } from '../state/discovery'
import { type EditorTab, useEditors } from '../state/editors'
import { useResults } from '../state/results'
import { useView } from '../state/view'
import { editorTheme, loadMonaco, type MonacoApi } from './monaco'

const CHECK_MILLISECONDS = 250
const states = new Map<string, Monaco.editor.ICodeEditorViewState | null>()

export default function CodeEditor({ tab }: { tab: EditorTab }) {
  const host = useRef<HTMLDivElement>(null)
  const [api, setApi] = useState<MonacoApi>()
  const editor = useRef<Monaco.editor.IStandaloneCodeEditor>(undefined)

  useEffect(() => {
    let disposed = false
    void loadMonaco().then((monaco) => {
      if (disposed || host.current === null) return
      editor.current = createEditor(monaco, host.current)
      setApi(monaco)
    })
    return () => {
      disposed = true
      editor.current?.dispose()
    }
  }, [])

  useShownTab(api, editor, tab)
  useTheme(api)
  useMarkers(api, tab)
  return (
    <>
      <div ref={host} />
      {api === undefined && (
        <textarea
          className="plain-editor"
          aria-label={tab.title}
          value={tab.text}
          spellCheck={false}
          onChange={(event) => useEditors.getState().edit(tab.id, event.target.value)}
        />
      )}
    </>
  )
}

function createEditor(monaco: MonacoApi, host: HTMLElement): Monaco.editor.IStandaloneCodeEditor {
  const editor = monaco.editor.create(host, {
    model: null,
    theme: editorTheme(),
    automaticLayout: true,
    minimap: { enabled: false },
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--mono'),
    fontSize: 12.5,
    lineHeight: 20,
    padding: { top: 8, bottom: 8 },
    scrollBeyondLastLine: false,
    tabSize: 2,
    renderLineHighlight: 'line',
    overviewRulerLanes: 0,
    fixedOverflowWidgets: true,
    quickSuggestions: { other: true, comments: false, strings: true },
    ariaLabel: 'Manifest or script. Press Escape, then Tab, to leave the editor.',
  })
  const run = (id: string) => () =>
    commands()
      .find((command) => command.id === id)
      ?.run()
  editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.Enter, run('run'))
  editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyMod.Shift | monaco.KeyCode.Enter, run('dry-run'))
  editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyK, run('palette'))
  // Escape is the way out of the editor by keyboard: from then on Tab moves the focus.
  editor.addCommand(
    monaco.KeyCode.Escape,
    () => (document.querySelector('.editor-host')?.closest('section')?.querySelector('button') as HTMLElement | null)?.focus(),
    '!suggestWidgetVisible && !findWidgetVisible && !editorHasSelection && !parameterHintsVisible',
  )
  return editor
}

function modelOf(monaco: MonacoApi, tab: EditorTab): Monaco.editor.ITextModel {
  const uri = monaco.Uri.parse(`file:///${tab.id}.${tab.language === 'yaml' ? 'yaml' : 'ts'}`)
  const known = monaco.editor.getModel(uri)
  if (known) return known
  const model = monaco.editor.createModel(tab.text, tab.language, uri)
  model.onDidChangeContent(() => useEditors.getState().edit(tab.id, model.getValue()))
  return model
}

function useShownTab(
  monaco: MonacoApi | undefined,
  editor: { current: Monaco.editor.IStandaloneCodeEditor | undefined },
  tab: EditorTab,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text changes through the model itself
  useEffect(() => {
    if (monaco === undefined || editor.current === undefined) return
    const shown = editor.current
    const model = modelOf(monaco, tab)
    if (model.getValue() !== tab.text) model.setValue(tab.text)
    shown.setModel(model)
    const state = states.get(tab.id)
    if (state) shown.restoreViewState(state)
    return () => {
      states.set(tab.id, shown.saveViewState())
    }
  }, [monaco, tab.id])
}

function useTheme(monaco: MonacoApi | undefined): void {
  const theme = useView((state) => state.theme)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of theme is the reason to ask again
  useEffect(() => {
    if (monaco === undefined) return
    const apply = () => monaco.editor.setTheme(editorTheme())
    apply()
    const system = matchMedia('(prefers-color-scheme: dark)')
    system.addEventListener('change', apply)
    return () => system.removeEventListener('change', apply)
  }, [monaco, theme])
}

/** What the type model finds while one types, and what the server said of the last run. */
function useMarkers(monaco: MonacoApi | undefined, tab: EditorTab): void {
  const resources = useDiscovery((state) => state.resources)
  const results = useResults((state) => (state.tab === tab.id ? state.results : undefined))
  useEffect(() => {
    if (monaco === undefined || tab.language !== 'yaml') return
    const timer = setTimeout(async () => {
      const { checkManifest } = await import('./check')
      const problems = checkManifest(
        tab.text,
        (apiVersion, kind) => resources.length === 0 || resourceOfKind(resources, apiVersion, kind) !== undefined,
      )
      const markers = problems.map((problem) => ({
        message: problem.message,
        severity: problem.severity === 'error' ? monaco.MarkerSeverity.Error : monaco.MarkerSeverity.Warning,
        startLineNumber: problem.startLine,
        startColumn: problem.startColumn,
        endLineNumber: problem.endLine,
        endColumn: problem.endColumn,
      }))
      const uri = monaco.Uri.parse(`file:///${tab.id}.yaml`)
      const model = monaco.editor.getModel(uri)
      if (model) monaco.editor.setModelMarkers(model, 'check', markers)
    }, CHECK_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [monaco, tab.id, tab.text, tab.language, resources])

  // biome-ignore lint/correctness/useExhaustiveDependencies: markers belong to the text that was sent
  useEffect(() => {
    if (monaco === undefined || tab.language !== 'yaml') return
    const model = monaco.editor.getModel(monaco.Uri.parse(`file:///${tab.id}.yaml`))
    if (!model) return
    const { documents, lines } = parseManifest(tab.text)
    const markers = (results ?? []).flatMap((result) => {
      if (result.ok) return []
      const document = documents.find(({ line }) => line === result.line)
      const causes = result.causes.length > 0 ? result.causes : [{ field: '', message: result.message ?? result.outcome }]
      return causes.map(({ field, message }) => {
        const range = document ? locate(document, field) : undefined
        const from = range ? lines.linePos(range[0]) : { line: result.line, col: 1 }
        const to = range ? lines.linePos(range[1]) : { line: result.line, col: 200 }
        return {
          message: field ? `${field}: ${message}` : message,
          severity: monaco.MarkerSeverity.Error,
          startLineNumber: from.line,
          startColumn: from.col,
          endLineNumber: to.line,
          endColumn: to.col,
          source: 'server',
        }
      })
    })
    monaco.editor.setModelMarkers(model, 'server', markers)
  }, [monaco, tab.id, results])
}

/** Moves the cursor of the shown editor to a line. */
export async function revealLine(line: number): Promise<void> {
  const monaco = await loadMonaco()
  const [editor] = monaco.editor.getEditors()
  editor?.revealLineInCenter(line)
  editor?.setPosition({ lineNumber: line, column: 1 })
  editor?.focus()
}
