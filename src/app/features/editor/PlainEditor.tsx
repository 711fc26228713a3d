/** The editable text before Monaco loads. */
import { type EditorTab, useEditors } from '../manifests/editors'

export function PlainEditor({ tab }: { tab: EditorTab }) {
  const edit = useEditors((state) => state.edit)
  return (
    <textarea
      className="plain-editor"
      aria-label={tab.title}
      value={tab.text}
      spellCheck={false}
      autoCapitalize="off"
      onChange={(event) => edit(tab.id, event.target.value)}
    />
  )
}
