/** Leaving an editor by keyboard, because Tab inserts text. */
import type * as Monaco from 'monaco-editor/editor/editor.api'
import type { MonacoApi } from './monaco'
import { EDITOR } from './texts'

export const LEAVE_HINT = EDITOR.leaveHint

const TWICE_MILLISECONDS = 3000

const NOTHING_OPEN =
  '!suggestWidgetVisible && !findWidgetVisible && !editorHasSelection && !parameterHintsVisible && !markersNavigationVisible && !inSnippetMode'

interface MessageController extends Monaco.editor.IEditorContribution {
  showMessage(message: string, position: Monaco.IPosition): void
}

/**
 * The first Escape only shows a hint, because users press it by reflex; the second one moves the
 * focus.
 */
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
