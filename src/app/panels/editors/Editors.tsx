/** Tabs of manifests and scripts, and the buttons that send or run them. */
import { lazy, Suspense } from 'react'
import { PlainEditor } from '../../editor/PlainEditor'
import { activeTab, useEditors } from '../../state/editors'
import { useView } from '../../state/view'
import { EditorTabs } from './EditorTabs'
import { ManifestButtons } from './ManifestButtons'
import { ScriptButtons } from './ScriptButtons'
import { Welcome } from './Welcome'

const CodeEditor = lazy(() => import('../../editor/CodeEditor'))

export function Editors() {
  const tab = useEditors(activeTab)
  const unsaved = useEditors((state) => state.unsaved)
  const welcome = useView((state) => state.welcome)
  return (
    <section className="panel" aria-label="Editor" data-pane="editor">
      {welcome && <Welcome />}
      <div className="bar editor-bar">
        <EditorTabs />
        <div className="bar-actions">{tab.language === 'yaml' ? <ManifestButtons /> : <ScriptButtons source={tab.text} />}</div>
      </div>
      {unsaved && <p className="note warn">This browser has no room to keep what you type: copy it before you close the page.</p>}
      <div className="editor-host">
        <Suspense fallback={<PlainEditor tab={tab} />}>
          <CodeEditor tab={tab} />
        </Suspense>
      </div>
    </section>
  )
}
