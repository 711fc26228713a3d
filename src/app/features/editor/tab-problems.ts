import { useEffect } from 'react'
import { resourceOfKind, useDiscovery } from '../../state/discovery'
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
    const timer = setTimeout(async () => {
      const { checkManifest } = await import('./check')
      const served = (apiVersion: string, kind: string) =>
        resources.length === 0 || resourceOfKind(resources, apiVersion, kind) !== undefined
      mark(monaco, tab, EDITOR.schema, checkManifest(tab.text, served))
    }, CHECK_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [monaco, tab, resources])
}

export function useServerMarkers(monaco: MonacoApi | undefined, tab: EditorTab): void {
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
