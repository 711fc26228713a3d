import type * as Monaco from 'monaco-editor/editor/editor.api'
import { useEffect } from 'react'
import type { EchoGuard } from './echo-guard'
import type { MonacoApi } from './monaco'

/** UTF-16 offsets; the end is exclusive. */
interface Place {
  start: number
  end: number
}

export interface TextProblem extends Place {
  message: string
  severity: 'error' | 'warning'
}

export interface Highlight extends Place {
  className: string
}

export interface ShownText {
  monaco: MonacoApi
  editor: Monaco.editor.IStandaloneCodeEditor
  model: Monaco.editor.ITextModel
  echoes: EchoGuard
}

function rangeIn(model: Monaco.editor.ITextModel, { start, end }: Place): Monaco.IRange {
  const [from, to] = [model.getPositionAt(start), model.getPositionAt(end)]
  return {
    startLineNumber: from.lineNumber,
    startColumn: from.column,
    endLineNumber: to.lineNumber,
    endColumn: to.column,
  }
}

export function useProblems(shown: ShownText | undefined, problems: readonly TextProblem[]): void {
  useEffect(() => {
    if (shown === undefined) return
    const { monaco, model } = shown
    const markers = problems.map(({ message, severity, ...place }) => ({
      message,
      severity: severity === 'error' ? monaco.MarkerSeverity.Error : monaco.MarkerSeverity.Warning,
      ...rangeIn(model, place),
    }))
    monaco.editor.setModelMarkers(model, 'checks', markers)
  }, [shown, problems])
}

/** Monaco's `TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges`. */
const NEVER_GROWS = 1

export function useHighlights(
  shown: ShownText | undefined,
  highlights: readonly Highlight[],
): void {
  useEffect(() => {
    if (shown === undefined) return
    const { editor, model } = shown
    const decorations = highlights.map(({ className, ...place }) => ({
      range: rangeIn(model, place),
      options: { inlineClassName: className, stickiness: NEVER_GROWS },
    }))
    const collection = editor.createDecorationsCollection(
      decorations as Monaco.editor.IModelDeltaDecoration[],
    )
    return () => collection.clear()
  }, [shown, highlights])
}
