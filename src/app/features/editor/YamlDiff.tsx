import { useEffect, useRef } from 'react'
import type { KubeObject } from '../../../engine/core/object'
import { editorTheme, loadMonaco } from './monaco'
import { objectText } from './object-lines'
import { EDITOR } from './texts'

/** Omits managedFields, which would hide the actual change. */
function textOf(object: KubeObject): string {
  const { managedFields: _managedFields, ...metadata } = object.metadata
  return objectText({ ...object, metadata })
}

export default function YamlDiff({
  before,
  after,
}: {
  before: KubeObject | undefined
  after: KubeObject
}) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let dispose: () => void = () => undefined
    let over = false
    void loadMonaco().then((monaco) => {
      if (over || host.current === null) return
      const models = [before, after].map((object) =>
        monaco.editor.createModel(object ? textOf(object) : '', 'yaml'),
      )
      const [original, modified] = models
      if (original === undefined || modified === undefined) return
      const editor = monaco.editor.createDiffEditor(host.current, {
        theme: editorTheme(),
        readOnly: true,
        automaticLayout: true,
        renderSideBySide: true,
        useInlineViewWhenSpaceIsLimited: true,
        renderSideBySideInlineBreakpoint: 640,
        hideUnchangedRegions: { enabled: before !== undefined, contextLineCount: 2 },
        minimap: { enabled: false },
        renderOverviewRuler: false,
        fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--mono'),
        fontSize: 12,
        lineHeight: 19,
        lineNumbersMinChars: 3,
        scrollBeyondLastLine: false,
        wordWrap: 'on',
        diffWordWrap: 'on',
        originalAriaLabel: EDITOR.before,
        modifiedAriaLabel: EDITOR.after,
      })
      // Owned here, because the editor never disposes one that it creates, and its worker would
      // throw.
      const comparison = editor.createViewModel({ original, modified })
      editor.setModel(comparison)
      dispose = () => {
        for (const made of [editor, comparison, ...models]) made.dispose()
      }
    })
    return () => {
      over = true
      dispose()
    }
  }, [before, after])
  return <div className="yaml-diff" ref={host} />
}
