import { useEffect } from 'react'
import { resourceOfKind, useDiscovery } from '../../state/discovery'
import { ignoreAbort, runInSlices } from '../../state/slices'
import type { Problem } from '../manifests/documents'
import type { EditorTab } from '../manifests/editors'
import { useResults } from '../manifests/results'
import type { MonacoApi } from './monaco'
import { uriOf } from './tab-models'
import { EDITOR } from './texts'

const CHECK_MILLISECONDS = 200

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

export function useChecks(monaco: MonacoApi | undefined, tab: EditorTab): void {
  const resources = useDiscovery((state) => state.resources)
  useEffect(() => {
    if (monaco === undefined || tab.language !== 'yaml') return
    const superseded = new AbortController()
    const timer = setTimeout(async () => {
      const { checkSteps } = await import('./check')
      const served = (apiVersion: string, kind: string) =>
        resources.length === 0 || resourceOfKind(resources, apiVersion, kind) !== undefined
      const problems = await runInSlices(checkSteps(tab.text, served), superseded.signal).catch(
        ignoreAbort,
      )
      if (problems !== undefined) mark(monaco, tab, EDITOR.schema, problems)
    }, CHECK_MILLISECONDS)
    return () => {
      clearTimeout(timer)
      superseded.abort()
    }
  }, [monaco, tab, resources])
}

export function useServerMarkers(monaco: MonacoApi | undefined, tab: EditorTab): void {
  const results = useResults((state) => state.results)
  const text = useResults((state) => state.text)
  const sent = useResults((state) => state.tab)
  const running = useResults((state) => state.running)
  useEffect(() => {
    if (monaco === undefined || tab.language !== 'yaml' || running) return
    if (sent !== tab.id) return mark(monaco, tab, 'server', [])
    const superseded = new AbortController()
    void import('./markers')
      .then(({ serverProblems }) =>
        runInSlices(serverProblems(results, text, tab.text), superseded.signal),
      )
      .then((problems) => mark(monaco, tab, 'server', problems), ignoreAbort)
    return () => superseded.abort()
  }, [monaco, tab, results, text, sent, running])
}
