/** Closing needs a confirmation, except for samples. */

import { useView } from '../../../state/view'
import { SCRIPT_SAMPLES } from '../../scripts/samples'
import { type EditorTab, useEditors } from '../editors'
import { isUnchangedEdit } from '../edits'
import { SAMPLES } from '../samples'
import * as texts from '../shell-texts'

export function closeTab(tab: EditorTab): void {
  const shut = () => useEditors.getState().close(tab.id)
  const known = [...SAMPLES, ...SCRIPT_SAMPLES].some(({ text }) => text === tab.text)
  if (tab.text.trim() === '' || known || isUnchangedEdit(tab)) {
    shut()
    return
  }
  useView.getState().set({
    question: {
      title: texts.closeQuestion(tab.title),
      text: texts.closeConsequence,
      choices: [{ title: texts.close, danger: true, run: shut }],
    },
  })
}
