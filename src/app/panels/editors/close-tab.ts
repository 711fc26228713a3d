/** Closes a file. Its text is lost, so closing needs a confirmation, except for samples. */
import { SAMPLES } from '../../manifests/samples'
import { SCRIPT_SAMPLES } from '../../scripts/samples'
import { type EditorTab, useEditors } from '../../state/editors'
import { isUnchangedEdit } from '../../state/edits'
import { useView } from '../../state/view'

export function closeTab(tab: EditorTab): void {
  const shut = () => useEditors.getState().close(tab.id)
  const known = [...SAMPLES, ...SCRIPT_SAMPLES].some(({ text }) => text === tab.text)
  if (tab.text.trim() === '' || known || isUnchangedEdit(tab)) {
    shut()
    return
  }
  useView.getState().set({
    question: {
      title: `Close ${tab.title}?`,
      text: 'Unsaved text will be lost.',
      choices: [{ title: 'Close', danger: true, run: shut }],
    },
  })
}
