/** The way out of an editor by keyboard, as Tab belongs to the text. */
import type * as Monaco from 'monaco-editor/editor/editor.api'
import type { MonacoApi } from './monaco'
import { EDITOR } from './texts'

/** Ends the label of each editor. */
export const LEAVE_HINT = EDITOR.leaveHint

const TWICE_MILLISECONDS = 3000

/** Nothing of the editor itself is open that Escape closes. */
const NOTHING_OPEN =
  '!suggestWidgetVisible && !findWidgetVisible && !editorHasSelection && !parameterHintsVisible && !markersNavigationVisible && !inSnippetMode'

interface MessageController extends Monaco.editor.IEditorContribution {
  showMessage(message: string, position: Monaco.IPosition): void
}

/** Escape twice moves the focus out of the editor. Once only shows how: many people press Escape by reflex. */
export function leaveByEscape(
  monaco: MonacoApi,
  editor: Monaco.editor.IStandaloneCodeEditor,
  leave: () => void,
): void {
  let before = Number.NEGATIVE_INFINITY
  const clear = () => {
    before = Number.NEGATIVE_INFINITY
  }
  editor.onDidChangeModelContent(clear)
  editor.onDidBlurEditorText(clear)
  editor.addCommand(
    monaco.KeyCode.Escape,
    () => {
      const now = performance.now()
      const isSecond = now - before < TWICE_MILLISECONDS
      before = now
      const position = editor.getPosition()
      if (isSecond) leave()
      else if (position) messagesOf(editor)?.showMessage(EDITOR.escapeAgain, position)
    },
    NOTHING_OPEN,
  )
}

const messagesOf = (editor: Monaco.editor.IStandaloneCodeEditor): MessageController | null =>
  editor.getContribution<MessageController>('editor.contrib.messageController')
