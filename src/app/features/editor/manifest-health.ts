/** Shows the health of the stored object after the `kind` of each document. */
import type * as Monaco from 'monaco-editor/editor/editor.api'
import { useEffect, useRef, useState } from 'react'
import { useCluster } from '../../state/cluster'
import { useDiscovery } from '../../state/discovery'
import type { Health, Level } from '../../state/health/health'
import { ignoreAbort, runInSlices } from '../../state/slices'
import type { EditorTab } from '../manifests/editors'
import type { DescribedObject } from './described-objects'

const READ_MILLISECONDS = 250
/** Longer manifests are read only when they are applied. */
const MOST_CHARACTERS = 100_000

const SHAPES: Record<Level, string> = {
  Current: '✓ ',
  InProgress: '○ ',
  Failed: '▲ ',
  Terminating: '– ',
  None: '',
}

export function useManifestHealth(
  editor: Monaco.editor.IStandaloneCodeEditor | undefined,
  { text, language }: EditorTab,
): void {
  const resources = useDiscovery((state) => state.resources)
  const kinds = useCluster((state) => state.kinds)
  const [described, setDescribed] = useState<readonly DescribedObject[]>([])
  const shown = useRef<Monaco.editor.IEditorDecorationsCollection>(undefined)

  useEffect(() => {
    if (editor === undefined) return
    if (language !== 'yaml' || text.length > MOST_CHARACTERS) return setDescribed([])
    const superseded = new AbortController()
    const timer = setTimeout(async () => {
      const { describedIn } = await import('./described-objects')
      const found = await runInSlices(describedIn(text, resources), superseded.signal).catch(
        ignoreAbort,
      )
      if (found !== undefined) setDescribed(found)
    }, READ_MILLISECONDS)
    return () => {
      clearTimeout(timer)
      superseded.abort()
    }
  }, [editor, text, language, resources])

  useEffect(() => {
    const model = editor?.getModel()
    if (editor === undefined || !model) return
    const decorations = described.flatMap(({ line, resource, namespace, name }) => {
      const health = kinds
        .get(`${resource.group}/${resource.resource}`)
        ?.objects.get(`${namespace}/${name}`)?.health
      return health === undefined || health.text === '' || line > model.getLineCount()
        ? []
        : [decoration(line, model.getLineMaxColumn(line), health)]
    })
    shown.current?.clear()
    shown.current = editor.createDecorationsCollection(decorations)
  }, [editor, described, kinds])
}

const decoration = (
  line: number,
  end: number,
  { level, text }: Health,
): Monaco.editor.IModelDeltaDecoration => ({
  range: { startLineNumber: line, startColumn: end, endLineNumber: line, endColumn: end },
  options: {
    showIfCollapsed: true,
    after: {
      content: `${SHAPES[level]}${text}`,
      inlineClassName: `editor-health is-${level}`,
      inlineClassNameAffectsLetterSpacing: true,
    },
  },
})
